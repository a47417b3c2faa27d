/* SPDX-License-Identifier: Apache-2.0 */
/* The audit of a fleet: what was walked or merged goes through the same passes from there on. */
#include <string.h>

#include "api/internal.h"
#include "emit/audit.h"
#include "passes/audit.h"
#include "passes/suppress.h"

struct plumb_audit *plumb_fleet_of(struct plumb_handle *h)
{
    if (h->audit == NULL) {
        h->audit = PLUMB_NEW(h->arena, struct plumb_audit);
        h->audit->session = &h->session;
        h->audit->jump = &h->out_of_memory;
        h->audit->directory = h->directory;
        h->audit->release = h->run.forced_release == PLUMB_RELEASE_NONE
                                ? (enum plumb_release)PLUMB_RELEASE_NEWEST
                                : h->run.forced_release;
    }
    return h->audit;
}

bool plumb_fleet_add(struct plumb_handle *h, const char *path, bool partial)
{
    struct plumb_audit *a = plumb_fleet_of(h);
    bool good = partial ? plumb_audit_merge(a, path) : plumb_audit_walk(a, path);

    for (size_t i = 0; i < a->problems.count; i++)
        plumb_string_list_add(h->arena, &h->problems, a->problems.items[i]);
    a->problems.count = 0;
    return good;
}

void plumb_fleet_run(struct plumb_handle *h, unsigned threads)
{
    struct plumb_audit *a = plumb_fleet_of(h);

    if (a->machine_count > 0 && a->machines[0]->record == NULL)
        plumb_audit_read(a, threads);
    if (a->out_of_memory)
        longjmp(h->out_of_memory, 1);
    plumb_audit_classify(a);
    plumb_audit_compare(a);
    plumb_pass_suppress(&h->run);
}

void plumb_fleet_render(struct plumb_handle *h, const char *format, struct plumb_buf *out)
{
    const struct plumb_audit *a = plumb_fleet_of(h);

    if (strcmp(format, "json") == 0)
        plumb_audit_json(out, a);
    else if (strcmp(format, "spec") == 0)
        plumb_audit_spec(out, a);
    else if (strcmp(format, "partial") == 0)
        plumb_audit_write(a, out);
    else
        plumb_audit_text(out, a);
}

void plumb_fleet_close(struct plumb_handle *h)
{
    if (h->audit != NULL)
        plumb_audit_close(h->audit);
}
