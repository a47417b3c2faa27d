/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options of a call as values: how sbatch, srun and salloc read them (common/slurm_opt.c,
 * common/proc_args.c). A value that holds a variable of the shell is left alone.
 */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "passes/request.h"
#include "schema/trait.h"
#include "schema/value.h"

struct typing {
    struct plumb_session *session;
    struct plumb_request *rq;
    const struct plumb_job_option *option;
};

static struct plumb_u64 number(uint64_t v, struct plumb_span at)
{
    return (struct plumb_u64){.v = v, .at = at, .origin = PLUMB_GIVEN};
}

static struct plumb_diag *refuse(struct typing *t, const char *expected)
{
    const struct plumb_job_option *o = t->option;
    struct plumb_span at = o->has_value ? o->value.at : o->at;

    t->rq->bad = true;
    if (o->value.len > 0)
        at = plumb_slice_span(&o->value, 0, o->value.len);
    return plumb_job_report(t->session, PLUMB_JOB_VALUE, at,
                            "--%s is '%s', expected %s; %s refuses", o->row->name,
                            plumb_arena_strndup(t->session->arena, o->value.text, o->value.len),
                            expected, plumb_job_command_name(t->rq->command));
}

/* strtoll and one unit, or a unit and B (proc_args.c:str_to_mbytes). */
static bool read_memory(const struct plumb_slice *v, uint64_t *out)
{
    static const char units[] = "kmgt";
    size_t digits = plumb_read_digits(v->text, v->len, out), left = v->len - digits;
    const char *unit = NULL;

    if (digits == 0 || digits == SIZE_MAX)
        return false;
    if (left == 0)
        return true;
    unit = strchr(units, plumb_lower(v->text[digits]));
    if (unit == NULL || *unit == '\0' || left > 2 ||
        (left == 2 && plumb_lower(v->text[digits + 1]) != 'b'))
        return false;
    if (*unit == 'k')
        *out = (*out + 1023) / 1024;
    else if (*unit == 'g')
        return plumb_mul_u64(*out, 1024, out);
    else if (*unit == 't')
        return plumb_mul_u64(*out, UINT64_C(1024) * 1024, out);
    return true;
}

/* Digits, a K and an M (proc_args.c:str_to_nodes). */
static bool read_node_number(const struct plumb_slice *v, size_t from, size_t to, uint64_t *out)
{
    size_t digits = plumb_read_digits(v->text + from, to - from, out);

    if (digits == 0 || digits == SIZE_MAX)
        return false;
    from += digits;
    if (from < to && plumb_lower(v->text[from]) == 'k' && plumb_mul_u64(*out, 1024, out))
        from++;
    if (from < to && plumb_lower(v->text[from]) == 'm' && plumb_mul_u64(*out, 1048576, out))
        from++;
    return from == to && *out <= INT32_MAX;
}

static void type_nodes(struct typing *t)
{
    const struct plumb_slice *v = &t->option->value;
    const char *dash = memchr(v->text, '-', v->len);
    size_t split = dash == NULL ? v->len : (size_t)(dash - v->text);
    uint64_t min = 0, max = 0;

    if (memchr(v->text, ',', v->len) != NULL || memchr(v->text, ':', v->len) != NULL) {
        /* A set of sizes: only the smallest matters here. */
        if (!plumb_trait_now(t->session, PLUMB_TRAIT_SET_OF_NODE_COUNTS)) {
            refuse(t, "a number of nodes, or 'MIN-MAX'");
            return;
        }
        if (plumb_read_digits(v->text, v->len, &min) - 1 < SIZE_MAX - 1)
            t->rq->nodes_min = number(min, v->at);
        return;
    }
    if (!read_node_number(v, 0, split, &min) ||
        (dash != NULL && !read_node_number(v, split + 1, v->len, &max))) {
        refuse(t, "a number of nodes, or 'MIN-MAX'");
        return;
    }
    if (dash == NULL)
        max = min;
    if (max != 0 && max < min) {
        refuse(t, "a largest number that is not below the smallest");
        return;
    }
    t->rq->nodes_min = number(min, plumb_slice_span(v, 0, split));
    t->rq->nodes_max = number(max, v->at);
}

static struct plumb_u64 *count_field(struct plumb_request *rq, enum plumb_option_id id)
{
    switch (id) {
    case PLUMB_O_NTASKS:
        return &rq->ntasks;
    case PLUMB_O_NTASKS_PER_NODE:
    case PLUMB_O_TASKS_PER_NODE:
        return &rq->ntasks_per_node;
    case PLUMB_O_NTASKS_PER_SOCKET:
        return &rq->ntasks_per_socket;
    case PLUMB_O_NTASKS_PER_CORE:
        return &rq->ntasks_per_core;
    case PLUMB_O_NTASKS_PER_GPU:
    case PLUMB_O_NTASKS_PER_TRES:
        return &rq->ntasks_per_gpu;
    case PLUMB_O_CPUS_PER_TASK:
        return &rq->cpus_per_task;
    case PLUMB_O_CPUS_PER_GPU:
        return &rq->cpus_per_gpu;
    case PLUMB_O_MINCPUS:
        return &rq->min_cpus;
    case PLUMB_O_SOCKETS_PER_NODE:
        return &rq->sockets;
    case PLUMB_O_CORES_PER_SOCKET:
        return &rq->cores;
    case PLUMB_O_THREADS_PER_CORE:
        return &rq->threads;
    default:
        return NULL;
    }
}

static void type_count(struct typing *t)
{
    const struct plumb_slice *v = &t->option->value;
    struct plumb_u64 *field = count_field(t->rq, (enum plumb_option_id)t->option->row->id);
    uint64_t n = 0;
    size_t skip = v->len > 1 && v->text[0] == '+' ? 1 : 0;

    if (!plumb_read_u64(v->text + skip, v->len - skip, &n) || n == 0 || n >= INT32_MAX)
        refuse(t, "a number from 1 on");
    else if (field != NULL)
        *field = number(n, v->at);
}

static void type_memory(struct typing *t)
{
    const struct plumb_slice *v = &t->option->value;
    uint64_t mib = 0;

    if (!read_memory(v, &mib)) {
        refuse(t, "MiB, or a number and K, M, G or T");
        return;
    }
    switch ((enum plumb_option_id)t->option->row->id) {
    case PLUMB_O_MEM:
        t->rq->mem = number(mib, v->at);
        break;
    case PLUMB_O_MEM_PER_CPU:
        t->rq->mem_per_cpu = number(mib, v->at);
        break;
    case PLUMB_O_MEM_PER_GPU:
        t->rq->mem_per_gpu = number(mib, v->at);
        break;
    default:
        t->rq->tmp = number(mib, v->at);
        break;
    }
}

/* 0 asks for no limit (sbatch/opt.c:_opt_verify); what is negative is above every limit. */
static void type_time(struct typing *t)
{
    const struct plumb_slice *v = &t->option->value;
    bool least = t->option->row->id == PLUMB_O_TIME_MIN;
    uint64_t minutes = 0;
    enum plumb_value_fault fault = plumb_value_minutes(v, &minutes);

    if (v->len > 1 && v->text[0] == '-' && plumb_is_digit(v->text[1])) {
        minutes = PLUMB_UNLIMITED;
    } else if (fault != PLUMB_VALUE_OK) {
        refuse(t, "minutes, 'MM:SS', 'HH:MM:SS', 'D-HH', 'D-HH:MM:SS' or 'INFINITE'");
        return;
    }
    if (minutes == 0)
        minutes = PLUMB_UNLIMITED;
    if (least)
        t->rq->time_min = number(minutes, v->at);
    else
        t->rq->time = number(minutes, v->at);
}

/* One item of --array: FIRST[-LAST[:STEP]][%MAX] (slurm_parse_array_tok). */
static bool read_indices(const struct plumb_slice *v, uint64_t *last, uint64_t *tasks)
{
    uint64_t first = 0, step = 1;
    size_t at = v->len > 0 && v->text[0] == '[' ? 1 : 0, len = v->len, digits = 0;

    if (len > 0 && v->text[len - 1] == ']')
        len--;
    digits = plumb_read_digits(v->text + at, len - at, &first);
    if (digits == 0 || digits == SIZE_MAX)
        return false;
    at += digits;
    *last = first;
    if (at < len && v->text[at] == '-') {
        digits = plumb_read_digits(v->text + at + 1, len - at - 1, last);
        if (digits == 0 || digits == SIZE_MAX || *last < first)
            return false;
        at += digits + 1;
        if (at < len && v->text[at] == ':') {
            digits = plumb_read_digits(v->text + at + 1, len - at - 1, &step);
            if (digits == 0 || digits == SIZE_MAX || step == 0)
                return false;
            at += digits + 1;
        }
    }
    *tasks = (*last - first) / step + 1;
    return at == len || v->text[at] == ']' || v->text[at] == '%';
}

static void type_array(struct typing *t)
{
    const struct plumb_slice *v = &t->option->value;
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;
    uint64_t last = 0, tasks = 0;

    t->rq->array_tasks = 0;
    t->rq->array_last = (struct plumb_u64){0};
    while (plumb_list_next(v, ',', &c, &item)) {
        if (!read_indices(&item, &last, &tasks)) {
            refuse(t, "indices such as '0-15', '0-15:4' or '1,3,5', each range upwards");
            return;
        }
        if (t->rq->array_tasks == 0 || last > t->rq->array_last.v)
            t->rq->array_last = number(last, v->at);
        t->rq->array_tasks += tasks;
    }
}

static const char *word_list(struct plumb_arena *a, const struct plumb_option *row,
                             enum plumb_release r)
{
    struct plumb_buf out = plumb_buf_in(a);

    for (size_t i = 0; i < row->word_count; i++) {
        if (plumb_value_there(&row->words[i], r))
            plumb_buf_printf(&out, "%s%s", out.len == 0 ? "" : ", ", row->words[i].word);
    }
    return plumb_buf_text(&out);
}

static bool is_word(const struct plumb_option *row, const struct plumb_slice *v,
                    enum plumb_release r)
{
    for (size_t i = 0; i < row->word_count; i++) {
        if (plumb_value_there(&row->words[i], r) && plumb_slice_is(v, row->words[i].word))
            return true;
    }
    return false;
}

static void type_words(struct typing *t)
{
    const struct plumb_slice *v = &t->option->value;
    const struct plumb_option *row = t->option->row;
    enum plumb_release r = t->session->sink.release;
    bool list = row->kind == PLUMB_KIND_OF_WORDS;
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    size_t known = 0;
    struct plumb_slice bad = {0};

    if (!t->option->has_value)
        return;
    while (plumb_list_next(v, list ? ',' : '\0', &c, &item)) {
        if (is_word(row, &item, r))
            known++;
        else
            bad = item;
    }
    if (bad.len == 0)
        return;
    if (row->id != PLUMB_O_MAIL_TYPE || known == 0)
        refuse(t, word_list(t->session->arena, row, r));
    else /* proc_args.c:parse_mail_type fails when nothing is left */
        plumb_diag_severity(plumb_job_report(t->session, PLUMB_JOB_VALUE, bad.at,
                                             "'%.*s' is no word of --mail-type and is ignored, "
                                             "expected %s",
                                             (int)bad.len, bad.text,
                                             word_list(t->session->arena, row, r)),
                            PLUMB_WARNING);
}

/* Up to three levels, "block:cyclic:fcyclic,Pack" (proc_args.c:verify_dist_type). */
static void type_distribution(struct typing *t)
{
    static const char *const first[] = {"*", "block", "cyclic", "arbitrary", "plane", NULL};
    static const char *const next[] = {"*", "block", "cyclic", "fcyclic", NULL};
    static const char *const packing[] = {"pack", "nopack", NULL};
    const struct plumb_slice *v = &t->option->value;
    size_t from = 0, level = 0;
    bool behind_comma = false;

    for (size_t i = 0; i <= v->len; i++) {
        const char *const *words = behind_comma ? packing : level == 0 ? first : next;
        struct plumb_slice word;
        bool known = false;

        if (i < v->len && v->text[i] != ':' && v->text[i] != ',')
            continue;
        word = plumb_slice_sub(v, from, i);
        known = level == 0 && word.len > 6 && plumb_equal_nocase(word.text, "plane=", 6);
        for (; *words != NULL; words++)
            known = known || plumb_slice_is(&word, *words);
        if (!known || level > 2) {
            refuse(t, "block, cyclic, arbitrary or plane=N, and behind colons block, cyclic or "
                      "fcyclic");
            return;
        }
        behind_comma = behind_comma || (i < v->len && v->text[i] == ',');
        from = i + 1;
        level += !behind_comma;
    }
}

/* [R|B:]signal[@seconds] (proc_args.c:get_signal_opts, sig_name2num). */
static void type_signal(struct typing *t)
{
    static const char *const names[] = {"HUP",  "INT",  "QUIT", "ABRT", "KILL", "ALRM",
                                        "TERM", "USR1", "USR2", "URG",  "CONT", "STOP",
                                        "TSTP", "TTIN", "TTOU", "PIPE", "XCPU"};
    const struct plumb_slice *v = &t->option->value;
    const char *at_sign = memchr(v->text, '@', v->len);
    size_t from = 0, end = at_sign == NULL ? v->len : (size_t)(at_sign - v->text);
    const char *colon = memchr(v->text, ':', end);
    struct plumb_slice name;
    uint64_t n = 0;
    bool known = false;

    if (colon != NULL)
        from = (size_t)(colon - v->text) + 1;
    if (end - from > 3 && plumb_equal_nocase(v->text + from, "SIG", 3))
        from += 3;
    name = plumb_slice_sub(v, from, end);
    known = plumb_read_u64(name.text, name.len, &n) && n >= 1 && n < 65536;
    for (size_t i = 0; i < PLUMB_COUNT(names); i++)
        known = known || plumb_slice_is(&name, names[i]);
    if (at_sign != NULL)
        known = known && plumb_read_u64(v->text + end + 1, v->len - end - 1, &n) && n < 65536;
    if (!known)
        refuse(t, "a signal by name or number, '[B:]SIGNAL[@SECONDS]'");
}

static bool begins(const struct plumb_slice *v, const char *word)
{
    size_t len = strlen(word);

    return v->len >= len && plumb_equal_nocase(v->text, word, len);
}

/* gpu.c:_valid_gres_bind */
static void type_gpu_bind(struct typing *t)
{
    static const char *const words[] = {
        "closest", "map_gpu:", "map:", "mask_gpu:", "mask:", "none", "per_task:", "single:"};
    struct plumb_slice v = t->option->value;

    if (begins(&v, "verbose,"))
        v = plumb_slice_sub(&v, 8, v.len);
    else if (begins(&v, "v,"))
        v = plumb_slice_sub(&v, 2, v.len);
    for (size_t i = 0; i < PLUMB_COUNT(words); i++) {
        if (begins(&v, words[i]))
            return;
    }
    refuse(t, "closest, none, per_task:N, single:N, map:LIST or mask:LIST");
}

static bool is_frequency(const struct plumb_slice *v)
{
    static const char *const words[] = {"low", "medium", "high", "highm1"};
    uint64_t n = 0;

    for (size_t i = 0; i < PLUMB_COUNT(words); i++) {
        if (plumb_slice_is_exact(v, words[i]))
            return true;
    }
    return plumb_read_u64(v->text, v->len, &n);
}

/* gpu.c:_valid_gpu_freq */
static void type_gpu_freq(struct typing *t)
{
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    while (plumb_list_next(&t->option->value, ',', &c, &item)) {
        bool memory = item.len > 7 && memcmp(item.text, "memory=", 7) == 0;
        struct plumb_slice value = memory ? plumb_slice_sub(&item, 7, item.len) : item;

        if (is_frequency(&value) || plumb_slice_is_exact(&item, "verbose"))
            continue;
        refuse(t, "low, medium, high, highm1 or MHz, and 'memory=' with the same");
        return;
    }
}

/* One condition of --dependency: a word, then job ids (job_mgr.c:update_job_dependency). */
static bool is_dependency(const struct plumb_slice *v)
{
    static const char *const words[] = {
        "after", "afterany", "afternotok", "afterok", "afterburstbuffer", "aftercorr", "expand"};
    const char *colon = memchr(v->text, ':', v->len);
    struct plumb_slice word = plumb_slice_sub(v, 0, colon == NULL ? 0 : (size_t)(colon - v->text));

    if (plumb_slice_is(v, "singleton"))
        return true;
    if (colon == NULL)
        return v->len > 0 && plumb_is_digit(v->text[0]);
    for (size_t i = 0; i < PLUMB_COUNT(words); i++) {
        if (!plumb_slice_is(&word, words[i]))
            continue;
        for (size_t k = word.len; k < v->len; k++) {
            if (v->text[k] == ':' && (k + 1 == v->len || !plumb_is_digit(v->text[k + 1])))
                return false;
        }
        return true;
    }
    return false;
}

static void type_dependency(struct typing *t)
{
    const struct plumb_slice *v = &t->option->value;
    char separator = memchr(v->text, '?', v->len) != NULL ? '?' : ',';
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;

    while (plumb_list_next(v, separator, &c, &item)) {
        if (is_dependency(&item))
            continue;
        refuse(t, "conditions such as 'afterok:JOBID' or 'singleton'");
        return;
    }
}

static void type_gres(struct typing *t)
{
    struct plumb_request *rq = t->rq;
    enum plumb_option_id id = (enum plumb_option_id)t->option->row->id;

    if (!plumb_request_gres_read(t->session, rq, &t->option->value, id))
        refuse(t, id == PLUMB_O_GRES ? "'NAME[:TYPE][:COUNT]', divided by commas"
                                     : "'[TYPE:]COUNT', divided by commas");
}

/* --tres-per-task of a step: "cpu:2,gres/gpu:1". Other forms are left to srun. */
static void type_tres_per_task(struct typing *t)
{
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;
    uint64_t n = 0;

    while (plumb_list_next(&t->option->value, ',', &c, &item)) {
        if (item.len > 4 && plumb_equal_nocase(item.text, "cpu", 3) &&
            (item.text[3] == ':' || item.text[3] == '=') &&
            plumb_read_u64(item.text + 4, item.len - 4, &n))
            t->rq->cpus_per_task = number(n, item.at);
        else if (item.len > 5 && plumb_equal_nocase(item.text, "gres/", 5))
            (void)plumb_request_gres_read(t->session, t->rq, &item, PLUMB_O_TRES_PER_TASK);
    }
}

static void type_partitions(struct plumb_session *s, struct plumb_request *rq)
{
    const struct plumb_given *g = plumb_given(rq, PLUMB_O_PARTITION);
    struct plumb_list_cursor c = {0};
    struct plumb_slice item;
    size_t cap = 0;

    if (g == NULL || g->unknown)
        return;
    while (plumb_list_next(&g->value, ',', &c, &item)) {
        rq->partitions = plumb_arena_grow(s->arena, rq->partitions, rq->partition_count, &cap,
                                          sizeof(*rq->partitions));
        item.text = plumb_arena_strndup(s->arena, item.text, item.len);
        rq->partitions[rq->partition_count++] = item;
    }
}

/* A later --gres takes the place of an earlier one, whatever it lists. */
static bool is_replaced(const struct plumb_job_call *call, size_t i)
{
    const struct plumb_option *row = call->options[i].row;

    if (row->kind != PLUMB_KIND_OF_GRES && row->kind != PLUMB_KIND_OF_GPUS)
        return false;
    for (size_t k = i + 1; k < call->count; k++) {
        if (call->options[k].row->id == row->id)
            return true;
    }
    return false;
}

static void type_one(struct typing *t)
{
    static void (*const by_kind[])(struct typing *) = {
        [PLUMB_KIND_OF_COUNT] = type_count,
        [PLUMB_KIND_OF_MEMORY] = type_memory,
        [PLUMB_KIND_OF_TIME] = type_time,
        [PLUMB_KIND_OF_NODES] = type_nodes,
        [PLUMB_KIND_OF_ARRAY] = type_array,
        [PLUMB_KIND_OF_GRES] = type_gres,
        [PLUMB_KIND_OF_GPUS] = type_gres,
        [PLUMB_KIND_OF_SIGNAL] = type_signal,
        [PLUMB_KIND_OF_GPU_BIND] = type_gpu_bind,
        [PLUMB_KIND_OF_GPU_FREQ] = type_gpu_freq,
        [PLUMB_KIND_OF_WORD] = type_words,
        [PLUMB_KIND_OF_WORDS] = type_words,
        [PLUMB_KIND_OF_DEPENDENCY] = type_dependency,
        [PLUMB_KIND_OF_DISTRIBUTION] = type_distribution,
    };
    const struct plumb_option *row = t->option->row;

    if (row->id == PLUMB_O_TRES_PER_TASK && t->rq->step && !t->option->unknown)
        type_tres_per_task(t);
    if (t->option->unknown || by_kind[row->kind] == NULL)
        return;
    by_kind[row->kind](t);
}

/* job_mgr.c:_test_job_desc_fields; of --gres and --gpus slurmctld gets no shorter text. */
static const struct {
    enum plumb_option_id id;
    uint32_t most; /* bytes */
} lengths[] = {
    {PLUMB_O_ACCOUNT, 1024},
    {PLUMB_O_ARRAY, 4096},
    {PLUMB_O_BB, 8192},
    {PLUMB_O_COMMENT, 1024},
    {PLUMB_O_DEPENDENCY, 131072},
    {PLUMB_O_EXTRA, 1024},
    {PLUMB_O_CONSTRAINT, 1024},
    {PLUMB_O_LICENSES, 1024},
    {PLUMB_O_MAIL_USER, 1024},
    {PLUMB_O_MCS_LABEL, 1024},
    {PLUMB_O_JOB_NAME, 1024},
    {PLUMB_O_NETWORK, 1024},
    {PLUMB_O_PARTITION, 1024},
    {PLUMB_O_PREFER, 1024},
    {PLUMB_O_QOS, 1024},
    {PLUMB_O_RESERVATION, 1024},
    {PLUMB_O_ERROR, 4096},
    {PLUMB_O_INPUT, 4096},
    {PLUMB_O_OUTPUT, 4096},
    {PLUMB_O_GRES, 1024},
    {PLUMB_O_GPUS, 1024},
    {PLUMB_O_GPUS_PER_NODE, 1024},
    {PLUMB_O_GPUS_PER_SOCKET, 1024},
    {PLUMB_O_GPUS_PER_TASK, 1024},
    {PLUMB_O_TRES_BIND, 1024},
    {PLUMB_O_GPU_BIND, 1024},
    {PLUMB_O_GPU_FREQ, 1024},
    {PLUMB_O_WCKEY, 1024},
    {PLUMB_O_CHDIR, 4096},
};

static void check_lengths(struct plumb_session *s, struct plumb_request *rq)
{
    for (size_t i = 0; i < PLUMB_COUNT(lengths) && !rq->step; i++) {
        const struct plumb_given *g = plumb_given(rq, lengths[i].id);
        const struct plumb_option *row =
            plumb_option_row(rq->command, s->sink.release, lengths[i].id);

        if (g == NULL || row == NULL || g->unknown || g->value.len <= lengths[i].most)
            continue;
        rq->bad = true;
        plumb_job_report(s, PLUMB_JOB_LENGTH, g->value.at,
                         "--%s has %u bytes, expected %u at most; slurmctld refuses the job",
                         row->name, g->value.len, lengths[i].most);
    }
}

void plumb_request_read(struct plumb_session *s, const struct plumb_job_call *call,
                        struct plumb_request *rq)
{
    for (size_t i = 0; i < call->count; i++) {
        const struct plumb_job_option *o = &call->options[i];

        rq->given[o->row->id] = (struct plumb_given){
            .value = o->value, .at = o->at, .set = true, .unknown = o->unknown};
        rq->given[o->row->id].value.text =
            plumb_arena_strndup(s->arena, o->value.text, o->value.len);
    }
    for (size_t i = 0; i < call->count; i++) {
        struct typing t = {.session = s, .rq = rq, .option = &call->options[i]};

        /* Of an option that is given twice the last one counts; both must be readable. */
        if (!is_replaced(call, i))
            type_one(&t);
    }
    type_partitions(s, rq);
    check_lengths(s, rq);
}
