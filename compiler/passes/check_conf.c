/* SPDX-License-Identifier: Apache-2.0 */
/* Pass check-conf: every document that was read, against the parameter table. */
#include "conf/conf.h"
#include "passes/type.h"

void plumb_pass_check_conf(struct plumb_run *r)
{
    for (int f = 0; f < PLUMB_FILE_COUNT; f++) {
        if (r->conf[f] == NULL)
            continue;
        plumb_conf_check(r->session, r->conf[f], r->session->sink.release);
        plumb_check_hosts(r->session, r->conf[f], r->session->sink.release);
    }
}
