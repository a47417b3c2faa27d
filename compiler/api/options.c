/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a handle: read once, refused with a reason that names what was expected. */
#include <string.h>

#include "api/internal.h"
#include "base/text.h"
#include "conf/overlay.h"
#include "kube/object.h"
#include "passes/sniff.h"

static const char *copy(struct plumb_handle *h, const char *text)
{
    return text == NULL ? NULL : plumb_arena_strdup(h->arena, text);
}

void plumb_options_refuse(struct plumb_handle *h, const char *why)
{
    if (h->usage == NULL)
        h->usage = why;
}

/* The table comes first: it may add the release that is asked for. */
static void read_table(struct plumb_handle *h, const char *path)
{
    struct plumb_source *src = NULL;

    if (path == NULL)
        return;
    if (plumb_source_load(&h->session.sources, plumb_walk_path(h, path), path, &src) != PLUMB_OK) {
        plumb_options_refuse(h,
                             plumb_arena_printf(h->arena, "the table '%s' cannot be read", path));
        return;
    }
    h->session.table = plumb_overlay_read(&h->session, src);
    h->session.sink.release = h->session.table->newest;
}

static enum plumb_release newest(const struct plumb_handle *h)
{
    return h->session.table == NULL ? (enum plumb_release)PLUMB_RELEASE_NEWEST
                                    : h->session.table->newest;
}

static enum plumb_release read_release(struct plumb_handle *h, const char *text)
{
    enum plumb_release r = PLUMB_RELEASE_NONE;

    if (text == NULL)
        return r;
    r = plumb_release_read_any(text, strlen(text));
    if (r != PLUMB_RELEASE_NONE && r > newest(h))
        r = PLUMB_RELEASE_NONE;
    if (r == PLUMB_RELEASE_NONE)
        plumb_options_refuse(h,
                             plumb_arena_printf(h->arena, "unknown release '%s', expected %s to %s",
                                                text, plumb_release_name(PLUMB_RELEASE_OLDEST),
                                                plumb_release_name(newest(h))));
    return r;
}

static void read_releases(struct plumb_handle *h, const struct plumb_options *o)
{
    h->run.forced_release = read_release(h, o->slurm);
    if (h->run.forced_release != PLUMB_RELEASE_NONE)
        h->session.sink.release = h->run.forced_release;
    h->run.from_release = read_release(h, o->from);
    h->run.upgrading = h->run.from_release != PLUMB_RELEASE_NONE;
}

static void read_kubernetes(struct plumb_handle *h, const char *text)
{
    const char *fault = NULL;

    if (text == NULL)
        return;
    h->run.kube_releases = PLUMB_NEW(h->arena, struct plumb_kube_releases);
    fault = plumb_kube_releases_read(h->arena, text, h->run.kube_releases);
    if (fault != NULL)
        plumb_options_refuse(h, fault);
}

static void read_rules(struct plumb_handle *h, const char *text, bool levels,
                       struct plumb_policy_list *out)
{
    const char *fault = text == NULL ? NULL : plumb_policy_read(h->arena, text, levels, out);

    if (fault != NULL)
        plumb_options_refuse(h, fault);
}

static void read_as(struct plumb_handle *h, const char *text)
{
    struct plumb_input probe;

    if (text != NULL && !plumb_kind_read(text, &probe))
        plumb_options_refuse(
            h, plumb_arena_printf(h->arena, "plumb cannot read anything as '%s', expected %s", text,
                                  plumb_kind_words(h->arena)));
    else
        h->as = copy(h, text);
}

static void read_targets(struct plumb_handle *h, const char *text)
{
    for (size_t at = 0, len = 0; text != NULL && text[at] != '\0'; at += len) {
        at += strspn(text + at, ",");
        len = strcspn(text + at, ",");

        bool known = len == 0;
        char *name = plumb_arena_strndup(h->arena, text + at, len);
        struct plumb_nearest near = plumb_nearest_to(name);

        for (size_t i = 0; i < plumb_target_count; i++) {
            known = known || strcmp(plumb_targets[i]->name, name) == 0;
            plumb_nearest_offer(&near, plumb_targets[i]->name);
        }
        if (!known)
            plumb_options_refuse(h, plumb_arena_printf(h->arena, "unknown target '%s'%s%s%s", name,
                                                       near.best == NULL ? "" : ", did you mean '",
                                                       near.best == NULL ? "" : near.best,
                                                       near.best == NULL ? "" : "'?"));
    }
}

void plumb_options_read(struct plumb_handle *h, const struct plumb_options *o)
{
    h->directory = copy(h, o->directory);
    h->run.reference_dir =
        o->reference_dir == NULL ? PLUMB_REFERENCE_DIR : copy(h, o->reference_dir);
    h->run.today = copy(h, o->today);
    h->run.targets = copy(h, o->targets);
    h->run.submit_user = copy(h, o->user);
    h->run.only_jobs = o->only_jobs;
    h->run.drifting = o->drift;
    h->run.want_outputs = o->outputs;
    h->run.force_outputs = o->force;
    h->overwrite = o->overwrite;
    h->topology = copy(h, o->topology);
    h->with = copy(h, o->with);
    h->run.policy = &h->policy;
    read_table(h, o->table);
    read_releases(h, o);
    read_kubernetes(h, o->kubernetes);
    read_rules(h, o->select, false, &h->policy.select);
    read_rules(h, o->ignore, false, &h->policy.ignore);
    read_rules(h, o->severity, true, &h->policy.severity);
    read_as(h, o->as);
    read_targets(h, o->targets);
}
