/* SPDX-License-Identifier: Apache-2.0 */
/* The formats of findings, by name. */
#include "emit/render.h"

const struct plumb_format plumb_formats[] = {
    {"human", plumb_render_human},   {"compact", plumb_render_compact},
    {"gcc", plumb_render_gcc},       {"json", plumb_render_json},
    {"jsonl", plumb_render_jsonl},   {"sarif", plumb_render_sarif},
    {"github", plumb_render_github}, {"gitlab", plumb_render_gitlab},
    {"junit", plumb_render_junit},   {"checkstyle", plumb_render_checkstyle},
    {"rdjson", plumb_render_rdjson}, {NULL, NULL},
};
