/* SPDX-License-Identifier: Apache-2.0 */
/* Words to options, as getopt_long(3) reads them with "+" in front. */
#ifndef PLUMB_JOB_CALL_H
#define PLUMB_JOB_CALL_H

#include "job/job.h"

/* Fills the options of a call; the first word that is no option is given back, count: none. */
size_t plumb_job_call_read(struct plumb_session *s, const struct plumb_job_read_options *o,
                           const struct plumb_job_words *words, struct plumb_job_call *call);

#endif
