/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass read-live: what clients of a running cluster printed, as records. Early, since the release
 * of the daemons that answered counts where neither the source nor the caller says one.
 */
#include "passes/live.h"

void plumb_pass_read_live(struct plumb_run *r)
{
    enum { SERIES_LEN = 5 }; /* "24.11" of "24.11.5" */

    r->live_release = PLUMB_RELEASE_NONE;
    for (size_t i = 0; i < r->input_count; i++) {
        struct plumb_input *in = &r->inputs[i];
        const struct plumb_slice *version = NULL;

        if (in->kind == PLUMB_KIND_LIVE_KUBE) {
            r->facts |= PLUMB_FACT_LIVE;
            r->want_outputs = r->force_outputs = true; /* of a specification: to compare */
        }
        if (in->kind != PLUMB_KIND_LIVE || in->src == NULL)
            continue;
        in->live = plumb_live_read(r->session, in->src, plumb_live_sniff(in->src));
        r->facts |= PLUMB_FACT_LIVE;
        version = &in->live->version;
        if (version->len >= SERIES_LEN && r->live_release == PLUMB_RELEASE_NONE)
            r->live_release = plumb_release_read(version->text, version->len);
        if (r->live_release == PLUMB_RELEASE_NONE && version->len >= SERIES_LEN)
            r->live_release = plumb_release_read(version->text, SERIES_LEN);
    }
}
