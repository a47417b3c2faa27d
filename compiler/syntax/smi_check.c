/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the rows of a matrix fit its columns and each other. */
#include <string.h>

#include "syntax/smi_read.h"

static size_t find_column(const struct plumb_smi_reader *rd, const char *name)
{
    for (size_t i = 0; i < rd->topo->column_count; i++) {
        if (strcmp(rd->columns[i].text, name) == 0)
            return i;
    }
    return SIZE_MAX;
}

static void report_missing(struct plumb_smi_reader *rd, size_t from, size_t to)
{
    struct plumb_smi_topo *t = rd->topo;
    const char *first = rd->columns[from].text, *last = rd->columns[to - 1].text;
    struct plumb_diag *d;

    if (to - from == 1)
        d = plumb_smi_report(rd, PLUMB_SMI_ROWS_MISSING, rd->columns[from].at,
                             "the row of '%s' is missing, expected one row for each of the %zu "
                             "columns",
                             first, t->column_count);
    else
        d = plumb_smi_report(rd, PLUMB_SMI_ROWS_MISSING, rd->columns[from].at,
                             "the %zu rows '%s' to '%s' are missing, expected one row for each of "
                             "the %zu columns",
                             to - from, first, last, t->column_count);
    if (t->row_count > 0)
        plumb_diag_note(d, t->rows[t->row_count - 1].at, "the last row of the capture");
}

/* Rows repeat the order of the columns. */
static void check_names(struct plumb_smi_reader *rd)
{
    struct plumb_smi_topo *t = rd->topo;
    size_t next = 0;

    for (size_t i = 0; i < t->row_count; i++) {
        const struct plumb_slice *name = &t->rows[i].name;
        size_t column = find_column(rd, name->text);

        if (column == SIZE_MAX) {
            plumb_smi_report(rd, PLUMB_SMI_ROW_NAME, name->at,
                             "row '%s' is not among the columns of the heading, expected '%s'",
                             name->text, next < t->column_count ? rd->columns[next].text : "none");
            next++;
            continue;
        }
        if (column < next) {
            plumb_smi_report(rd, PLUMB_SMI_ROW_NAME, name->at,
                             "row '%s' is out of order, expected the order of the columns",
                             name->text);
            continue;
        }
        if (column > next)
            report_missing(rd, next, column);
        next = column + 1;
    }
    if (next < t->column_count)
        report_missing(rd, next, t->column_count);
}

static void check_diagonal(struct plumb_smi_reader *rd, const struct plumb_smi_row *row,
                           size_t self)
{
    for (size_t c = 0; c < rd->topo->column_count; c++) {
        const struct plumb_slice *cell = &row->cells[c].text;
        bool x = strcmp(cell->text, "X") == 0;

        if (x == (c == self))
            continue;
        if (x)
            plumb_smi_report(rd, PLUMB_SMI_DIAGONAL, cell->at,
                             "'X' stands in column '%s' of row '%s', expected a connection code",
                             rd->columns[c].text, row->name.text);
        else
            plumb_smi_report(rd, PLUMB_SMI_DIAGONAL, cell->at,
                             "'%s' stands where row '%s' meets its own column, expected 'X'",
                             cell->text, row->name.text);
        return; /* the rest of the row has moved with it */
    }
}

static void check_symmetry(struct plumb_smi_reader *rd)
{
    const struct plumb_smi_topo *t = rd->topo;

    for (size_t r = 0; r < t->row_count; r++) {
        for (size_t c = 0; c < r; c++) {
            const struct plumb_slice *one = &t->rows[r].cells[c].text;
            const struct plumb_slice *other = &t->rows[c].cells[r].text;

            if (strcmp(one->text, other->text) == 0)
                continue;

            struct plumb_diag *d = plumb_smi_report(
                rd, PLUMB_SMI_ASYMMETRIC, one->at, "'%s' to '%s' is '%s', the other way it is '%s'",
                t->rows[r].name.text, rd->columns[c].text, one->text, other->text);

            plumb_diag_note(d, other->at, "'%s' to '%s'", t->rows[c].name.text,
                            rd->columns[r].text);
        }
    }
}

/* NICn is a number, not a name: the legend has the name. */
static void name_nics(struct plumb_smi_reader *rd)
{
    struct plumb_map names = plumb_map_in(rd->s->arena);

    for (size_t i = 0; i < rd->legend_count; i++)
        plumb_map_set(&names, rd->legend[i].nic.text, &rd->legend[i]);
    for (size_t i = rd->topo->gpu_count; i < rd->topo->row_count; i++) {
        struct plumb_smi_row *row = &rd->topo->rows[i];
        const struct plumb_smi_legend *l = plumb_map_get(&names, row->name.text);

        if (l != NULL)
            row->device = plumb_intern_str(rd->s->intern, l->device.text);
        else if (rd->legend_count > 0 && strncmp(row->name.text, "NIC", 3) == 0)
            plumb_smi_report(rd, PLUMB_SMI_LEGEND, row->name.at,
                             "'%s' is not in the NIC legend, expected its device name there",
                             row->name.text);
    }
}

void plumb_smi_check(struct plumb_smi_reader *rd)
{
    check_names(rd);
    if (rd->faults > 0)
        return;
    for (size_t i = 0; i < rd->topo->row_count; i++)
        check_diagonal(rd, &rd->topo->rows[i], i);
    if (rd->faults > 0)
        return;
    if (rd->topo->peers) /* a status may hold one way only */
        return;
    check_symmetry(rd);
    name_nics(rd);
}
