/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the passes that make requests out of job scripts. */
#ifndef PLUMB_PASSES_REQUEST_H
#define PLUMB_PASSES_REQUEST_H

#include "job/job.h"
#include "model/request.h"
#include "passes/pass.h"

/* Fills a request from the options of one call; a value that cannot be read is a finding. */
void plumb_request_read(struct plumb_session *s, const struct plumb_job_call *call,
                        struct plumb_request *rq);

/* Options that exclude or need each other, as the commands see it before they ask slurmctld. */
void plumb_request_pairs(struct plumb_session *s, struct plumb_request *rq);

/* A value of --gres or --gpus*, by a list of items. */
bool plumb_request_gres_read(struct plumb_session *s, struct plumb_request *rq,
                             const struct plumb_slice *value, enum plumb_option_id id);

#endif
