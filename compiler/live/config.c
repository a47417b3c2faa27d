/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `scontrol show config`: lines "Key = value", first of slurm.conf, then a section for each
 * further file (src/api/config_info.c:slurm_print_ctl_conf).
 */
#include "live/text.h"

enum { MAX_SETTINGS = 8192 }; /* far more than scontrol prints; the rest is no answer of it */

/* The title of a section; PLUMB_FILE_COUNT: of nothing that is compared. */
static enum plumb_file section_of(const struct plumb_slice *line)
{
    static const struct {
        const char *title;
        enum plumb_file file;
    } titles[] = {
        {"Cgroup Support Configuration:", PLUMB_CGROUP_CONF},
        {"Account Gather Configuration:", PLUMB_ACCT_GATHER_CONF},
        {"MPI Plugins Configuration:", PLUMB_MPI_CONF},
    };

    for (size_t i = 0; i < PLUMB_COUNT(titles); i++) {
        if (plumb_slice_is_exact(line, titles[i].title))
            return titles[i].file;
    }
    return PLUMB_FILE_COUNT;
}

/* "Prolog[0]" is Prolog. */
static size_t key_len(const struct plumb_slice *key)
{
    const char *open = memchr(key->text, '[', key->len);

    return open == NULL ? key->len : (size_t)(open - key->text);
}

static void add(struct plumb_session *s, struct plumb_live_file *f, enum plumb_file file,
                const struct plumb_slice *key, struct plumb_slice value)
{
    size_t len = key_len(key);
    const struct plumb_param *p =
        plumb_param_find(s->table, file, PLUMB_SCOPE_GLOBAL, key->text, len);

    if (plumb_slice_is_exact(key, "SLURM_VERSION"))
        f->version = value;
    if (p == NULL || f->setting_count >= MAX_SETTINGS)
        return;
    f->settings = plumb_arena_grow(s->arena, f->settings, f->setting_count, &f->setting_cap,
                                   sizeof(*f->settings));
    f->settings[f->setting_count] = plumb_live_setting(p, value);
    f->settings[f->setting_count++].key_at = plumb_slice_span(key, 0, len);
}

void plumb_live_read_config(struct plumb_session *s, struct plumb_live_file *f)
{
    const char *text = f->src->bytes;
    enum plumb_file file = PLUMB_SLURM_CONF;
    struct plumb_live_line line;
    size_t at = (size_t)(plumb_source_begin(f->src) - text);

    f->sections[file] = true;
    while (plumb_live_next(text, f->src->len, &at, &line)) {
        const char *sign = memchr(text + line.begin, '=', line.end - line.begin);
        struct plumb_slice all = plumb_live_trim(f->src, line.begin, line.end);
        struct plumb_slice key;

        if (sign == NULL && all.len > 0 && all.text[all.len - 1] == ':') {
            file = section_of(&all);
            if (file != PLUMB_FILE_COUNT)
                f->sections[file] = true;
            continue;
        }
        if (sign == NULL || file == PLUMB_FILE_COUNT)
            continue;
        key = plumb_live_trim(f->src, line.begin, (size_t)(sign - text));
        add(s, f, file, &key, plumb_live_trim(f->src, (size_t)(sign - text) + 1, line.end));
    }
}
