/* SPDX-License-Identifier: Apache-2.0 */
/* Gres= and gres.conf merged as slurmd merges them. */
#include "rules/gres_merge.h"

#include "base/num.h"
#include "base/text.h"
#include "rules/ranges.h"

struct merging {
    const struct plumb_check *ck;
    const struct plumb_gres_line **lines; /* of this GRES, those that begin with Name first */
    bool *taken;
    uint64_t *left; /* what slurm.conf does not account for */
    size_t count;
    struct plumb_gres_merge *out;
};

static uint64_t count_of(const struct plumb_gres_line *line)
{
    return plumb_usable(line->count) ? line->count.v : plumb_gres_files(line);
}

/* gres_g_node_config_load appends the lines of Name, then those of NodeName. */
static void collect(struct merging *m, const struct plumb_gres_view *v, const char *gres)
{
    m->lines = PLUMB_NEW_ARRAY(m->ck->scratch, v->count + 1, const struct plumb_gres_line *);
    m->taken = PLUMB_NEW_ARRAY(m->ck->scratch, v->count + 1, bool);
    m->left = PLUMB_NEW_ARRAY(m->ck->scratch, v->count + 1, uint64_t);
    for (int named = 0; named < 2; named++) {
        for (size_t i = 0; i < v->count; i++) {
            const struct plumb_gres_line *line = v->lines[i];

            /* A node that NodeName= names twice reads the line once. */
            if (plumb_gres_is(line, gres) && (line->hosts != NULL) == (named == 1) &&
                (m->count == 0 || m->lines[m->count - 1] != line))
                m->lines[m->count++] = line;
        }
    }
    for (size_t i = 0; i < m->count; i++)
        m->left[i] = count_of(m->lines[i]);
}

/* _set_file_subset: the first names of a list. */
static const struct plumb_hostlist *first_files(const struct merging *m,
                                                const struct plumb_hostlist *files, uint64_t count)
{
    struct plumb_hostlist *first;

    if (files == NULL || files->count <= count)
        return files;
    first = PLUMB_NEW(m->ck->scratch, struct plumb_hostlist);
    *first = *files;
    first->ranges =
        PLUMB_NEW_ARRAY(m->ck->scratch, files->range_count + 1, struct plumb_host_range);
    first->cap = files->range_count + 1;
    first->range_count = 0;
    first->count = count;
    for (size_t r = 0; r < files->range_count && count > 0; r++) {
        struct plumb_host_range *range = &first->ranges[first->range_count++];
        uint64_t size;

        *range = files->ranges[r];
        size = range->hi - range->lo + 1;
        if (size > count)
            range->hi = range->lo + count - 1;
        count -= size > count ? count : size;
    }
    return first;
}

/* _match_type: declared without a type, any line will do. */
static bool suits(const struct plumb_gres_line *line, const char *type)
{
    return type == NULL || (line->type != NULL && plumb_same_nocase(line->type, type));
}

/* _merge_gres2 */
static void take(struct merging *m, uint64_t want, const char *type)
{
    for (size_t i = 0; i < m->count && want > 0; i++) {
        const struct plumb_gres_line *line = m->lines[i];
        uint64_t have = count_of(line);
        struct plumb_gres_kept *kept;

        if (m->taken[i] || !suits(line, type))
            continue;
        m->taken[i] = true;
        have = have > want ? want : have;
        want -= have;
        kept = &m->out->kept[m->out->count++];
        *kept = (struct plumb_gres_kept){.line = line, .count = have};
        kept->files = line->files != NULL ? first_files(m, line->files, have) : NULL;
        if (line->files == NULL && line->multiple_files != NULL)
            kept->files = line->multiple_files;
    }
    if (want > 0)
        m->out->fileless = true;
}

/* _foreach_compare_conf_counts; up to 22.05 types had to be the same, none included. */
static void account(struct merging *m, uint64_t want, const char *type)
{
    for (size_t i = 0; i < m->count; i++) {
        const char *given = m->lines[i]->type;
        bool any = given == NULL && plumb_has_trait(m->ck, PLUMB_TRAIT_UNTYPED_GRES_LINE_COUNTS);
        bool same = given == NULL || type == NULL ? given == type : plumb_same_nocase(given, type);

        if (!any && !same)
            continue;
        if (m->left[i] > want) {
            m->left[i] -= want;
            return;
        }
        want -= m->left[i];
        m->left[i] = 0;
    }
}

/* The sum of what is declared of the type of item; 0 where an item before it is of that type. */
static uint64_t declared(const struct plumb_nodes *n, size_t item)
{
    uint64_t sum = 0;

    for (size_t g = 0; g < n->gres_count; g++) {
        if (!plumb_same_nocase(n->gres[g].name, n->gres[item].name) ||
            n->gres[g].type != n->gres[item].type)
            continue;
        if (g < item)
            return 0;
        if (!plumb_add_u64(sum, n->gres[g].count, &sum))
            sum = UINT64_MAX;
    }
    return sum;
}

struct plumb_gres_merge plumb_gres_merged(const struct plumb_check *ck,
                                          const struct plumb_gres_view *v, const char *gres)
{
    struct plumb_gres_merge out = {0};
    struct merging m = {.ck = ck, .out = &out};

    collect(&m, v, gres);
    out.kept = PLUMB_NEW_ARRAY(ck->scratch, m.count + 1, struct plumb_gres_kept);
    for (size_t g = 0; g < v->nodes->gres_count; g++) {
        const struct plumb_gres_item *item = &v->nodes->gres[g];
        uint64_t want = plumb_same_nocase(item->name, gres) ? declared(v->nodes, g) : 0;

        if (want == 0)
            continue;
        account(&m, want, item->type);
        take(&m, want, item->type);
    }
    for (size_t i = 0; i < m.count; i++) {
        if (m.left[i] == 0)
            continue;
        out.extra = out.extra == NULL ? m.lines[i] : out.extra;
        out.extra_count += m.left[i];
    }
    for (size_t i = 0; i < out.count; i++)
        out.fileless = out.fileless || (out.kept[i].files == NULL && out.kept[i].count > 0);
    return out;
}

bool plumb_gres_gives_gpu(const struct plumb_check *ck, const struct plumb_gres_view *v)
{
    struct plumb_gres_merge m = plumb_gres_merged(ck, v, "gpu");

    for (size_t i = 0; i < m.count; i++) {
        if (m.kept[i].files != NULL)
            return true;
    }
    return false;
}

/* Files of a line that slurmd keeps; those of MultipleFiles are one device. */
static const struct plumb_hostlist *devices(const struct plumb_gres_kept *kept)
{
    return kept->line->multiple_files == NULL ? kept->files : NULL;
}

static struct plumb_span place_of(const struct plumb_host_range *range,
                                  const struct plumb_gres_kept *kept)
{
    return plumb_span_known(range->at) ? range->at : kept->line->at;
}

bool plumb_gres_file_twice(const struct plumb_check *ck, const struct plumb_gres_merge *m,
                           struct plumb_gres_twice *out)
{
    struct plumb_range_index x = {.arena = ck->scratch};
    size_t seq = 0;

    for (size_t i = 0; i < m->count; i++)
        plumb_range_add(&x, devices(&m->kept[i]), i);
    plumb_range_sort(&x);
    for (size_t i = 0; i < m->count; i++) {
        const struct plumb_hostlist *files = devices(&m->kept[i]);

        for (size_t r = 0; files != NULL && r < files->range_count; r++, seq++) {
            struct plumb_range_cursor c = plumb_range_from(&x, &files->ranges[r]);

            while (plumb_range_next(&c)) {
                struct plumb_host_range one = files->ranges[r];
                struct plumb_hostlist name = {.ranges = &one, .range_count = 1, .cap = 1};

                if (c.seq >= seq)
                    continue;
                one.lo = c.lo;
                one.hi = c.hi;
                name.count = c.hi - c.lo + 1;
                out->at = place_of(&one, &m->kept[i]);
                out->first = place_of(c.found, &m->kept[0]);
                out->files = plumb_hostlist_str(ck->arena, &name);
                return true;
            }
        }
    }
    return false;
}

bool plumb_gres_ambiguous(const struct plumb_check *ck, const struct plumb_gres_view *v)
{
    for (size_t i = 0; i < ck->model->node_count; i++) {
        const struct plumb_nodes *n = &ck->model->nodes[i];

        if (n != v->nodes && n->hosts != NULL &&
            plumb_hostlist_intersect(ck->scratch, n->hosts, v->hosts)->count > 0)
            return true;
    }
    return false;
}
