/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --gres and --gpus*: name[:type][:count] (common/slurm_protocol_defs.c:slurm_get_next_tres).
 * A last field that begins with a digit and is a number with a unit is the count.
 */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "passes/request.h"
#include "schema/trait.h"

/* slurm_resource_info.c:suffix_mult */
static bool read_unit(const char *text, size_t len, uint64_t *factor)
{
    static const char units[] = "kmgtp";
    const char *unit = NULL;
    bool binary = true;

    *factor = 1;
    if (len == 0)
        return true;
    unit = strchr(units, plumb_lower(text[0]));
    if (unit == NULL || *unit == '\0')
        return false;
    if (len == 2 && plumb_lower(text[1]) == 'b')
        binary = false;
    else if (len != 1 && !(len == 3 && plumb_equal_nocase(text + 1, "ib", 2)))
        return false;
    for (size_t i = 0; i <= (size_t)(unit - units); i++)
        *factor *= binary ? 1024 : 1000;
    return true;
}

/* The field is a count. *numeric: it begins with a digit, as a type of MIG does. */
static bool read_count(const struct plumb_slice *v, uint64_t *out, bool *numeric)
{
    uint64_t factor = 1;
    size_t digits = plumb_read_digits(v->text, v->len, out);

    *numeric = digits > 0;
    return digits > 0 && digits != SIZE_MAX &&
           read_unit(v->text + digits, v->len - digits, &factor) &&
           plumb_mul_u64(*out, factor, out);
}

static enum plumb_per per_of(enum plumb_option_id id)
{
    return id == PLUMB_O_GPUS              ? PLUMB_PER_JOB
           : id == PLUMB_O_GPUS_PER_TASK   ? PLUMB_PER_TASK
           : id == PLUMB_O_TRES_PER_TASK   ? PLUMB_PER_TASK
           : id == PLUMB_O_GPUS_PER_SOCKET ? PLUMB_PER_SOCKET
                                           : PLUMB_PER_NODE;
}

/* An item with the same name, type and meaning is replaced (_get_next_job_gres). */
static void put(struct plumb_session *s, struct plumb_request *rq,
                const struct plumb_request_gres *item)
{
    struct plumb_request_gres *list = NULL;

    for (size_t i = 0; i < rq->gres_count; i++) {
        if (rq->gres[i].name == item->name && rq->gres[i].type == item->type &&
            rq->gres[i].per == item->per) {
            rq->gres[i] = *item;
            return;
        }
    }
    list = PLUMB_NEW_ARRAY(s->arena, rq->gres_count + 1, struct plumb_request_gres);
    if (rq->gres_count > 0)
        memcpy(list, rq->gres, rq->gres_count * sizeof(*list));
    list[rq->gres_count++] = *item;
    rq->gres = list;
}

/* One item; gpus: the name is not written. False when it cannot be read. */
static bool read_item(struct plumb_session *s, struct plumb_request *rq, struct plumb_slice item,
                      enum plumb_option_id id)
{
    bool gpus = id != PLUMB_O_GRES && id != PLUMB_O_TRES_PER_TASK, numeric = false;
    struct plumb_request_gres out = {.count = 1, .per = per_of(id), .at = item.at};
    size_t from = 0, end = item.len, last = 0;
    uint64_t count = 0;
    struct plumb_slice field;

    if (!gpus && item.len > 5 && memcmp(item.text, "gres/", 5) == 0)
        from = 5;
    if (gpus && item.len > 4 && memcmp(item.text, "gpu:", 4) == 0)
        from = 4; /* old habit, taken by slurm_get_next_tres */
    for (last = end; last > from && item.text[last - 1] != ':' && item.text[last - 1] != '=';)
        last--;
    if (last > from && item.text[last - 1] == '=' &&
        !plumb_trait_now(s, PLUMB_TRAIT_GRES_COUNT_BEHIND_EQUALS))
        return false;
    field = plumb_slice_sub(&item, last, end);
    out.type_at = out.count_at = out.name_at = item.at;
    if (last > from || gpus) {
        if (field.len == 0)
            return false;
        if (read_count(&field, &count, &numeric)) {
            out.count = count;
            out.count_at = field.at;
            end = last > from ? last - 1 : from;
        } else if (numeric && !plumb_trait_now(s, PLUMB_TRAIT_GRES_TYPES_BEGIN_WITH_DIGITS)) {
            return false;
        }
    }
    if (!gpus) {
        const char *colon = memchr(item.text + from, ':', end - from);
        size_t name_end = colon == NULL ? end : (size_t)(colon - item.text);

        out.name = plumb_intern_text(s->intern, item.text + from, name_end - from);
        out.name_at = plumb_slice_span(&item, from, name_end);
        from = name_end < end ? name_end + 1 : end;
    } else {
        out.name = plumb_intern_str(s->intern, "gpu");
    }
    if (from < end) {
        out.type = plumb_intern_text(s->intern, item.text + from, end - from);
        out.type_at = plumb_slice_span(&item, from, end);
    }
    if (out.count > 0)
        put(s, rq, &out);
    return true;
}

bool plumb_request_gres_read(struct plumb_session *s, struct plumb_request *rq,
                             const struct plumb_slice *value, enum plumb_option_id id)
{
    size_t from = 0;

    if (plumb_slice_is(value, "none") || plumb_slice_is(value, "help"))
        return true;
    for (size_t i = 0; i <= value->len; i++) {
        if (i < value->len && value->text[i] != ',')
            continue;
        if (i > from && !read_item(s, rq, plumb_slice_sub(value, from, i), id))
            return false;
        from = i + 1;
    }
    return true;
}
