/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A build of some targets leaves the files of the others alone: they stay where they are, and
 * the two files about the build go on to tell about them.
 */
#include <string.h>

#include "emit/manifest.h"
#include "emit/tree.h"
#include "syntax/json.h"

bool plumb_target_chosen(const char *list, const char *name)
{
    size_t len = strlen(name);

    if (list == NULL)
        return true;
    while (*list != '\0') {
        size_t item = strcspn(list, ",");

        if (item == len && memcmp(list, name, len) == 0)
            return true;
        list += item + (list[item] == ',');
    }
    return false;
}

bool plumb_manifest_kept(const struct plumb_outputs *out, const struct plumb_manifest_file *file)
{
    return file->target != NULL && !plumb_target_chosen(out->targets, file->target) &&
           !plumb_outputs_has(out, file->path);
}

static struct plumb_node *copy_mapping(struct plumb_arena *a, const struct plumb_node *from)
{
    struct plumb_node *copy = plumb_node_mapping(a, from->at);

    for (uint32_t i = 0; i < from->count; i++)
        plumb_node_set(a, copy, plumb_node_text(from->pairs[i].key), from->pairs[i].value);
    return copy;
}

/* The files mapping of a JSON file of the last build; NULL when it cannot be read. */
static const struct plumb_node *old_files(struct plumb_session *s, int root, const char *path)
{
    struct plumb_tree_file file = plumb_tree_read(s->scratch, root, path);
    struct plumb_session own; /* faults in it are no findings about the user's input */

    if (file.kind != PLUMB_TREE_FILE)
        return NULL;
    plumb_session_init(&own, s->scratch, s->scratch);
    return plumb_node_get(
        plumb_json_read(&own, plumb_source_add(&own.sources, path, file.bytes, file.len)), "files");
}

/* A copy of root whose files also hold what the old one says about the files that are kept. */
static struct plumb_node *extend(struct plumb_session *s, const struct plumb_outputs *out,
                                 const struct plumb_node *root, const struct plumb_node *old,
                                 const struct plumb_manifest *last)
{
    struct plumb_node *copy = copy_mapping(s->scratch, root);
    struct plumb_node *files = copy_mapping(s->scratch, plumb_node_get(root, "files"));

    for (size_t i = 0; i < last->count; i++) {
        struct plumb_node *entry = plumb_node_get(old, last->files[i].path);

        if (entry != NULL && plumb_manifest_kept(out, &last->files[i]))
            plumb_node_set(s->scratch, files, last->files[i].path, entry);
    }
    plumb_node_set(s->scratch, copy, "files", files);
    return copy;
}

static struct plumb_output *find_output(struct plumb_outputs *out, const char *path)
{
    for (size_t i = 0; i < out->file_count; i++) {
        if (strcmp(out->files[i].path, path) == 0)
            return &out->files[i];
    }
    return NULL;
}

static void replace_text(struct plumb_session *s, struct plumb_outputs *out, const char *path,
                         const struct plumb_node *root)
{
    struct plumb_output *file = find_output(out, path);
    struct plumb_buf b = plumb_buf_in(s->scratch);

    plumb_json_write(&b, root, NULL);
    file->text = plumb_buf_text(&b);
    file->len = b.len;
    plumb_sha256_hex(file->text, file->len, file->sha256);
}

static void set_digest(struct plumb_session *s, struct plumb_node *manifest, const char *path,
                       const char *sha256)
{
    struct plumb_node *files = plumb_node_get(manifest, "files");
    struct plumb_node *entry = copy_mapping(s->scratch, plumb_node_get(files, path));

    plumb_node_set_string(s->scratch, entry, "sha256", sha256);
    plumb_node_set(s->scratch, files, path, entry);
}

/* The last manifest without the files that are gone: nobody keeps what is not there. */
static struct plumb_manifest those_there(struct plumb_session *s, int root,
                                         const struct plumb_manifest *last)
{
    struct plumb_manifest there = *last;

    there.files = PLUMB_NEW_ARRAY(s->scratch, last->count, struct plumb_manifest_file);
    there.count = 0;
    for (size_t i = 0; i < last->count; i++) {
        uint32_t mode = 0;

        if (plumb_tree_kind(root, last->files[i].path, &mode) == PLUMB_TREE_FILE)
            there.files[there.count++] = last->files[i];
    }
    return there;
}

struct plumb_outputs plumb_outputs_with_kept(struct plumb_session *s,
                                             const struct plumb_outputs *out, int root,
                                             const struct plumb_manifest *last)
{
    struct plumb_outputs all = *out;
    struct plumb_node *map = NULL, *manifest = NULL;

    if (out->targets == NULL || out->map == NULL || out->manifest == NULL || last->count == 0)
        return all;

    struct plumb_manifest there = those_there(s, root, last);

    all.files = PLUMB_NEW_ARRAY(s->scratch, out->file_count, struct plumb_output);
    memcpy(all.files, out->files, out->file_count * sizeof(*out->files));
    map = extend(s, out, out->map, old_files(s, root, PLUMB_MAP_PATH), &there);
    replace_text(s, &all, PLUMB_MAP_PATH, map);
    manifest = extend(s, out, out->manifest, old_files(s, root, PLUMB_MANIFEST_PATH), &there);
    set_digest(s, manifest, PLUMB_MAP_PATH, find_output(&all, PLUMB_MAP_PATH)->sha256);
    replace_text(s, &all, PLUMB_MANIFEST_PATH, manifest);
    return all;
}
