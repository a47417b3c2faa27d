/* SPDX-License-Identifier: Apache-2.0 */
/* What stands below the directives of a script. */
#ifndef PLUMB_JOB_BODY_H
#define PLUMB_JOB_BODY_H

#include "job/job.h"

#define PLUMB_JOB_MAGIC "#SBATCH"

/* The line from at to end begins with "#SBATCH". */
bool plumb_job_is_directive(const struct plumb_source *src, uint32_t at, uint32_t end);
uint32_t plumb_job_line_end(const struct plumb_source *src, uint32_t at);

/* Adds the calls and assignments from at on; directives that come too late are findings. */
void plumb_job_read_body(struct plumb_session *s, const struct plumb_job_read_options *o,
                         struct plumb_job *job, uint32_t at);

/* Adds a text in the script that a call of sbatch reads; options: those of the call. */
void plumb_job_read_text(struct plumb_session *s, const struct plumb_job_read_options *o,
                         struct plumb_job *outer, const struct plumb_job *text,
                         const struct plumb_job_call *options);

#endif
