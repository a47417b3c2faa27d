/* SPDX-License-Identifier: Apache-2.0 */
/* MANIFEST.json, out and in. */
#include "emit/manifest.h"

#include <stdlib.h>
#include <string.h>

#include "emit/tree.h"
#include "emit/write.h"
#include "schema/trait.h"
#include "syntax/json.h"

static const char generated_by[] = "plumb, do not edit";

static int compare_inputs(const void *x, const void *y)
{
    const struct plumb_shown_input *a = x, *b = y;
    int order = strcmp(a->path, b->path);

    return order != 0 ? order : strcmp(a->sha256, b->sha256);
}

size_t plumb_shown_inputs(struct plumb_session *s, const struct plumb_model *m,
                          struct plumb_shown_input **inputs)
{
    struct plumb_shown_input *list =
        PLUMB_NEW_ARRAY(s->arena, s->sources.count, struct plumb_shown_input);
    size_t count = 0;

    for (size_t i = 0; i < s->sources.count; i++) {
        const struct plumb_source *src = s->sources.items[i];

        if (src->idle)
            continue;
        list[count].path = plumb_output_source_name(s, m, src);
        plumb_sha256_hex(src->bytes, src->len, list[count++].sha256);
    }
    if (count > 1)
        qsort(list, count, sizeof(*list), compare_inputs);
    *inputs = list;
    return count;
}

static void add_text(struct plumb_buf *b, const char *text)
{
    plumb_buf_str(b, text != NULL ? text : "-");
    plumb_buf_char(b, '\n');
}

static void add_param(struct plumb_buf *b, const struct plumb_param *p)
{
    plumb_buf_printf(b, "%u %u ", (unsigned)p->file, (unsigned)p->scope);
    add_text(b, p->name);
    for (size_t i = 0; i < p->rev_count; i++) {
        const struct plumb_param_rev *rev = &p->revs[i];

        plumb_buf_printf(b, "%u %u %u %d %d%d %llu %llu\n", (unsigned)rev->since,
                         (unsigned)rev->life, (unsigned)rev->type, rev->repeats, rev->has_min,
                         rev->has_max, (unsigned long long)rev->min, (unsigned long long)rev->max);
        add_text(b, rev->unit);
        add_text(b, rev->def);
        add_text(b, rev->replaced_by);
    }
    for (size_t i = 0; i < p->value_count; i++) {
        plumb_buf_printf(b, "%u %u %d ", (unsigned)p->values[i].first, (unsigned)p->values[i].last,
                         p->values[i].takes_value);
        add_text(b, p->values[i].word);
    }
}

/* Two builds of plumb that know the same facts have the same tables, whatever their version. */
static const char *tables_digest(struct plumb_session *s)
{
    struct plumb_buf b = plumb_buf_in(s->scratch);
    char *hex = plumb_arena_alloc(s->arena, 65);

    for (size_t id = 0; id < plumb_table_ids(s->table); id++)
        add_param(&b, plumb_param_row(s->table, id));
    for (unsigned id = 0; id < PLUMB_TRAIT_COUNT; id++) {
        add_text(&b, plumb_traits[id].name);
        for (unsigned r = 0; r < PLUMB_RELEASE_SLOTS; r++)
            plumb_buf_printf(&b, "%llu ",
                             (unsigned long long)plumb_trait_value(s->table, (enum plumb_release)r,
                                                                   (enum plumb_trait_id)id));
    }
    plumb_sha256_hex(plumb_buf_text(&b), b.len, hex);
    return hex;
}

static struct plumb_node *files_node(struct plumb_arena *a, const struct plumb_outputs *out)
{
    static const struct plumb_span nowhere = {0};
    struct plumb_node *files = plumb_node_mapping(a, nowhere);

    for (size_t i = 0; i < out->file_count; i++) {
        const struct plumb_output *file = &out->files[i];
        struct plumb_node *entry = plumb_node_mapping(a, nowhere);

        plumb_node_set_string(a, entry, "mode", plumb_arena_printf(a, "%04o", file->mode));
        plumb_node_set_string(a, entry, "sha256", file->sha256);
        plumb_node_set_string(a, entry, "target", file->target);
        plumb_node_set(a, files, file->path, entry);
    }
    return files;
}

static struct plumb_node *inputs_node(struct plumb_session *s, const struct plumb_model *m)
{
    static const struct plumb_span nowhere = {0};
    struct plumb_node *list = plumb_node_sequence(s->arena, nowhere);
    struct plumb_shown_input *inputs = NULL;
    size_t count = plumb_shown_inputs(s, m, &inputs);

    for (size_t i = 0; i < count; i++) {
        struct plumb_node *entry = plumb_node_mapping(s->arena, nowhere);

        plumb_node_set_string(s->arena, entry, "path", inputs[i].path);
        plumb_node_set_string(s->arena, entry, "sha256", inputs[i].sha256);
        plumb_node_append(s->arena, list, entry);
    }
    return list;
}

/* The root with the header that JSON cannot carry as a comment. */
static struct plumb_node *root_node(struct plumb_arena *a, const struct plumb_origin_note *note)
{
    struct plumb_node *root = plumb_node_mapping(a, (struct plumb_span){0});

    plumb_node_set_string(a, root, "generated_by", generated_by);
    plumb_node_set_string(a, root, "source", note->source);
    plumb_node_set_string(a, root, "inputs_sha256", note->inputs_sha256);
    return root;
}

struct plumb_node *plumb_manifest_node(struct plumb_session *s, const struct plumb_model *m,
                                       const struct plumb_outputs *out,
                                       const struct plumb_origin_note *note)
{
    struct plumb_arena *a = s->arena;
    struct plumb_node *root = root_node(a, note);
    struct plumb_node *versions = plumb_node_mapping(a, (struct plumb_span){0});

    plumb_node_set_string(a, versions, "plumb", PLUMB_VERSION);
    plumb_node_set_string(a, versions, "slurm", plumb_release_name(m->release));
    plumb_node_set_string(a, versions, "tables", tables_digest(s));
    plumb_node_set(a, root, "versions", versions);
    plumb_node_set(a, root, "files", files_node(a, out));
    plumb_node_set(a, root, "inputs", inputs_node(s, m));
    return root;
}

static int compare_texts(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* The places of one line, sorted, each once. */
static struct plumb_node *places_node(struct plumb_session *s, const char *const *names,
                                      const struct plumb_cause *causes, size_t count)
{
    static const struct plumb_span nowhere = {0};
    const char **texts = PLUMB_NEW_ARRAY(s->scratch, count, const char *);
    struct plumb_node *list = plumb_node_sequence(s->arena, nowhere);

    for (size_t i = 0; i < count; i++) {
        struct plumb_place p = plumb_source_place(&s->sources, causes[i].at);

        texts[i] = plumb_arena_printf(s->arena, "%s:%u:%u", names[causes[i].at.file - 1], p.line,
                                      p.column);
    }
    qsort(texts, count, sizeof(*texts), compare_texts);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(texts[i], texts[i - 1]) != 0)
            plumb_node_append(s->arena, list, plumb_node_string(s->arena, texts[i], nowhere));
    }
    return list;
}

static struct plumb_node *lines_node(struct plumb_session *s, const char *const *names,
                                     const struct plumb_causes *causes)
{
    static const struct plumb_span nowhere = {0};
    struct plumb_node *lines = plumb_node_sequence(s->arena, nowhere);

    for (size_t i = 0, next = 0; i < causes->count; i = next) {
        struct plumb_node *line = plumb_node_mapping(s->arena, nowhere);

        while (next < causes->count && causes->items[next].line == causes->items[i].line)
            next++;
        plumb_node_set_u64(s->arena, line, "line", causes->items[i].line);
        plumb_node_set(s->arena, line, "from", places_node(s, names, &causes->items[i], next - i));
        plumb_node_append(s->arena, lines, line);
    }
    return lines;
}

struct plumb_node *plumb_map_node(struct plumb_session *s, const struct plumb_model *m,
                                  const struct plumb_outputs *out,
                                  const struct plumb_origin_note *note)
{
    struct plumb_arena *a = s->arena;
    struct plumb_node *root = root_node(a, note);
    struct plumb_node *files = plumb_node_mapping(a, (struct plumb_span){0});
    const char **names = PLUMB_NEW_ARRAY(a, s->sources.count, const char *);

    for (size_t i = 0; i < s->sources.count; i++)
        names[i] = plumb_output_source_name(s, m, s->sources.items[i]);
    for (size_t i = 0; i < out->file_count; i++)
        plumb_node_set(a, files, out->files[i].path, lines_node(s, names, &out->files[i].causes));
    plumb_node_set(a, root, "files", files);
    return root;
}

static bool read_mode(const char *text, uint32_t *mode)
{
    *mode = 0;
    for (; *text >= '0' && *text <= '7' && *mode <= 0777; text++)
        *mode = *mode * 8 + (uint32_t)(*text - '0');
    return *text == '\0' && *mode <= 0777;
}

static bool read_file(const struct plumb_pair *pair, struct plumb_manifest_file *out)
{
    const char *mode = plumb_node_text(plumb_node_get(pair->value, "mode"));

    out->path = plumb_node_text(pair->key);
    out->sha256 = plumb_node_text(plumb_node_get(pair->value, "sha256"));
    out->target = plumb_node_text(plumb_node_get(pair->value, "target"));
    return out->path != NULL && plumb_tree_path_ok(out->path) && out->sha256 != NULL &&
           strlen(out->sha256) == 64 && mode != NULL && read_mode(mode, &out->mode);
}

static int compare_files(const void *x, const void *y)
{
    const struct plumb_manifest_file *a = x, *b = y;

    return strcmp(a->path, b->path);
}

struct plumb_manifest plumb_manifest_read(struct plumb_session *s, const char *text, size_t len)
{
    struct plumb_manifest m = {0};
    struct plumb_session own; /* a damaged manifest is no finding about the user's input */
    const struct plumb_node *root = NULL, *files = NULL;
    const char *by = NULL;

    plumb_session_init(&own, s->scratch, s->scratch);
    root = plumb_json_read(&own, plumb_source_add(&own.sources, PLUMB_MANIFEST_PATH, text, len));
    by = plumb_node_text(plumb_node_get(root, "generated_by"));
    files = plumb_node_get(root, "files");
    if (by == NULL || strcmp(by, generated_by) != 0 || files == NULL ||
        files->kind != PLUMB_MAPPING)
        return m;
    m.present = true;
    m.files = PLUMB_NEW_ARRAY(s->scratch, files->count, struct plumb_manifest_file);
    for (size_t i = 0; i < files->count; i++)
        m.count += read_file(&files->pairs[i], &m.files[m.count]);
    if (m.count > 1)
        qsort(m.files, m.count, sizeof(*m.files), compare_files);
    return m;
}

struct plumb_manifest plumb_manifest_load(struct plumb_session *s, int root)
{
    struct plumb_tree_file file = plumb_tree_read(s->scratch, root, PLUMB_MANIFEST_PATH);

    return file.kind == PLUMB_TREE_FILE ? plumb_manifest_read(s, file.bytes, file.len)
                                        : (struct plumb_manifest){0};
}

const struct plumb_manifest_file *plumb_manifest_find(const struct plumb_manifest *m,
                                                      const char *path)
{
    struct plumb_manifest_file key = {.path = path};

    return m->count == 0 ? NULL
                         : bsearch(&key, m->files, m->count, sizeof(*m->files), compare_files);
}
