/* SPDX-License-Identifier: Apache-2.0 */
/* Files of network adapters, beside the listing of sysfs that a capture holds. */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "rules/gres_view.h"

static const char verbs_file[] = "/dev/infiniband/uverbs";

static struct plumb_span first_told(const struct plumb_hardware *hw)
{
    for (size_t i = 0; i < hw->nic_count; i++) {
        if (plumb_verbs_known(hw->nics[i].verbs))
            return hw->nics[i].verbs_at;
    }
    return (struct plumb_span){0};
}

static bool has_file(const struct plumb_hardware *hw, struct plumb_verbs number)
{
    for (size_t i = 0; i < hw->nic_count; i++) {
        if (plumb_verbs_same(hw->nics[i].verbs, number))
            return true;
    }
    return false;
}

/* "/dev/infiniband/uverbs3": 3. False: it is another file. */
static bool number_of(const char *file, struct plumb_verbs *out)
{
    const char *digits = file + sizeof(verbs_file) - 1;
    uint64_t n = 0;

    if (!plumb_starts_with(file, verbs_file) || !plumb_read_u64(digits, strlen(digits), &n) ||
        n >= PLUMB_NO_INDEX)
        return false;
    out->n = (uint32_t)n;
    return true;
}

static bool lacks_adapter(const struct plumb_hardware *hw, const char *file)
{
    struct plumb_verbs number;

    return number_of(file, &number) && !has_file(hw, number);
}

static const char *words_of(const struct plumb_check *ck, const struct plumb_fold_item *f)
{
    const struct plumb_hardware *hw = f->what;
    struct plumb_buf b = plumb_buf_in(ck->arena);

    for (size_t i = 0; i < hw->nic_count; i++) {
        if (plumb_verbs_known(hw->nics[i].verbs))
            plumb_buf_printf(&b, "%s'%s' of %s", b.len > 0 ? ", " : "",
                             plumb_hardware_verbs(ck->arena, &hw->nics[i]), hw->nics[i].name);
    }
    return plumb_arena_printf(ck->arena,
                              "no adapter has the file '%s' in the capture of '%s', expected one "
                              "of %s",
                              f->alike, plumb_fold_hosts(ck, f->hosts), plumb_buf_text(&b));
}

/* GRES072: gres.c:_my_stat waits for a file and ends. */
static void adapter_file(const struct plumb_check *ck)
{
    static const struct plumb_gres_devices adapter_files = {lacks_adapter, first_told};
    struct plumb_fold faults = plumb_gres_lacking(ck, &adapter_files);

    plumb_fold_tell(ck, &faults, "the first line of the listing that names an adapter", words_of);
}

static const struct plumb_rule rows[] = {
    {
        .code = "GRES072",
        .name = "gres-adapter-file-missing",
        .severity = PLUMB_ERROR,
        .effect = PLUMB_EFFECT_STOPS,
        .daemons = PLUMB_SLURMD,
        .summary = "File names the file of a network adapter that the captured machine does not "
                   "have",
        .why = "slurmd waits for a device file that is missing, and ends.",
        .ref = "gres.conf(5), File; gres.c:_my_stat",
        .bad = "GresTypes=hca\n"
               "NodeName=g Gres=hca:1\n"
               "# gres.conf\n"
               "Name=hca File=/dev/infiniband/uverbs0",
        .good = "GresTypes=hca\n"
                "NodeName=g Gres=hca:1\n"
                "# gres.conf\n"
                "Name=hca File=/dev/infiniband/uverbs2",
        .needs = PLUMB_FACT_MODEL | PLUMB_FACT_HARDWARE,
        .run = adapter_file,
    },
};

const struct plumb_rule_family plumb_gres_adapter_rules = {
    .prefix = "GRES",
    .title = "Generic resources",
    .rules = rows,
    .count = PLUMB_COUNT(rows),
};
