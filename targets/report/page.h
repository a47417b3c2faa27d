/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Target report: one page for people. Inside of the target: pieces of HTML as elements for the XML
 * writer, which alone knows how names are escaped.
 */
#ifndef PLUMB_TARGETS_REPORT_PAGE_H
#define PLUMB_TARGETS_REPORT_PAGE_H

#include "emit/output.h"

extern const struct plumb_target plumb_target_report;

struct plumb_page {
    struct plumb_session *session;
    struct plumb_arena *arena;
    const struct plumb_model *model;
    const struct plumb_outputs *out;
    struct plumb_xml *body;
};

/* Text goes through plumb_buf_line; NULL: none. */
struct plumb_xml *plumb_page_add(const struct plumb_page *p, struct plumb_xml *parent,
                                 const char *name, const char *text);
/* The same with a class. */
struct plumb_xml *plumb_page_class(const struct plumb_page *p, struct plumb_xml *parent,
                                   const char *name, const char *kind, const char *text);
void plumb_page_link(const struct plumb_page *p, struct plumb_xml *parent, const char *to,
                     const char *text);

/* A section of the body with a heading and an address. */
struct plumb_xml *plumb_page_section(const struct plumb_page *p, const char *id, const char *title);

/* A table that scrolls by itself where it is too wide; the heading row ends with NULL. */
struct plumb_xml *plumb_page_table(const struct plumb_page *p, struct plumb_xml *parent,
                                   const char *caption, const char *const *heads);

/* "16 nodes" */
const char *plumb_page_plural(struct plumb_arena *a, uint64_t n, const char *noun);

/* The parts, each in a file of its name. */
void plumb_page_resources(const struct plumb_page *p);
void plumb_page_pictures(const struct plumb_page *p);
void plumb_page_findings(const struct plumb_page *p);
void plumb_page_files(const struct plumb_page *p);

const char *plumb_page_style(void);

#endif
