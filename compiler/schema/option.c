/* SPDX-License-Identifier: Apache-2.0 */
/* Lookup in the table of options. */
#include "schema/option.h"

#include <string.h>

#include "base/text.h"

const char *plumb_job_command_name(enum plumb_job_command c)
{
    return c == PLUMB_SBATCH ? "sbatch" : c == PLUMB_SRUN ? "srun" : "salloc";
}

static bool takes(const struct plumb_option *o, enum plumb_job_command c, enum plumb_release r)
{
    return (o->commands & c) != 0 && o->first <= r && r <= o->last;
}

const struct plumb_option *plumb_option_find(enum plumb_job_command c, enum plumb_release r,
                                             const char *name, size_t len, bool *ambiguous)
{
    const struct plumb_option *begins = NULL;
    size_t count = 0;

    *ambiguous = false;
    for (size_t i = 0; i < plumb_option_count; i++) {
        const struct plumb_option *o = &plumb_options[i];

        if (!takes(o, c, r) || strlen(o->name) < len || memcmp(o->name, name, len) != 0)
            continue;
        if (o->name[len] == '\0')
            return o;
        count++;
        begins = o;
    }
    *ambiguous = count > 1;
    return count == 1 ? begins : NULL;
}

const struct plumb_option *plumb_option_letter(enum plumb_job_command c, enum plumb_release r,
                                               char letter)
{
    for (size_t i = 0; i < plumb_option_count; i++) {
        if (plumb_options[i].letter == letter && letter != '\0' && takes(&plumb_options[i], c, r))
            return &plumb_options[i];
    }
    return NULL;
}

const struct plumb_option *plumb_option_elsewhere(enum plumb_job_command c, const char *name,
                                                  size_t len)
{
    const struct plumb_option *other = NULL;

    for (size_t i = 0; i < plumb_option_count; i++) {
        const struct plumb_option *o = &plumb_options[i];

        if (strlen(o->name) != len || memcmp(o->name, name, len) != 0)
            continue;
        if ((o->commands & c) != 0)
            return o;
        other = o;
    }
    return other;
}

const struct plumb_option_variable *
plumb_option_variable(enum plumb_job_command c, enum plumb_release r, const char *name, size_t len)
{
    for (size_t i = 0; i < plumb_option_variable_count; i++) {
        const struct plumb_option_variable *v = &plumb_option_variables[i];

        if (v->command == c && v->first <= r && r <= v->last && strlen(v->name) == len &&
            memcmp(v->name, name, len) == 0)
            return v;
    }
    return NULL;
}

const struct plumb_option *plumb_option_row(enum plumb_job_command c, enum plumb_release r,
                                            enum plumb_option_id id)
{
    for (size_t i = 0; i < plumb_option_count; i++) {
        if (plumb_options[i].id == id && takes(&plumb_options[i], c, r))
            return &plumb_options[i];
    }
    return NULL;
}

const char *plumb_option_suggest(enum plumb_job_command c, enum plumb_release r, const char *name)
{
    struct plumb_nearest nearest = plumb_nearest_to(name);

    for (size_t i = 0; i < plumb_option_count; i++) {
        if (takes(&plumb_options[i], c, r))
            plumb_nearest_offer(&nearest, plumb_options[i].name);
    }
    return nearest.best;
}
