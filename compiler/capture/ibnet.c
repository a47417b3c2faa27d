/* SPDX-License-Identifier: Apache-2.0 */
/* Reads ibnetdiscover line by line. A line that is none is a finding, and the next one is read. */
#include "capture/ibnet.h"

#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "capture/lines.h"

enum { MOST_NODES = 1 << 20 };

struct reader {
    struct plumb_session *s;
    const struct plumb_source *src;
    struct plumb_ibnet *out;
    struct plumb_map ids; /* to a position + 1 */
    size_t current;       /* record whose ports are read; SIZE_MAX: none */
    size_t bad_lines;
    struct plumb_diag *bad;
};

static const struct {
    const char *word;
    bool is_switch;
} records[] = {
    {"Switch", true},
    {"Ca", false},
    {"Hca", false},
    {"Rt", false},
};

/* The text between the next two quotes from *from on; false: there are none. */
static bool quoted(struct plumb_arena *a, const struct plumb_source *src,
                   const struct plumb_capture_line *line, size_t *from, struct plumb_slice *out)
{
    const char *open =
        *from < line->len ? memchr(line->text + *from, '"', line->len - *from) : NULL;
    const char *close = NULL;
    size_t begin = 0;

    if (open == NULL)
        return false;
    begin = (size_t)(open - line->text) + 1;
    close = begin < line->len ? memchr(line->text + begin, '"', line->len - begin) : NULL;
    if (close == NULL)
        return false;
    *out = plumb_line_part(a, src, line, begin, (size_t)(close - line->text));
    *from = (size_t)(close - line->text) + 1;
    return true;
}

static void bad_line(struct reader *rd, const struct plumb_capture_line *line, const char *expected)
{
    if (rd->bad_lines++ == 0)
        rd->bad = plumb_ibnet_report(rd->s, PLUMB_IBNET_LINE, plumb_line_span(rd->src, line),
                                     "this line is no part of the output of ibnetdiscover, "
                                     "expected %s",
                                     expected);
}

/* The position of a node, made when it is new. SIZE_MAX: too many. */
static size_t node_at(struct reader *rd, const struct plumb_slice *id, bool is_switch)
{
    struct plumb_ibnet *out = rd->out;
    void *known = plumb_map_get(&rd->ids, id->text);

    if (known != NULL)
        return (size_t)(uintptr_t)known - 1;
    if (out->count == MOST_NODES)
        return SIZE_MAX;
    out->nodes =
        plumb_arena_grow(rd->s->arena, out->nodes, out->count, &out->cap, sizeof(*out->nodes));
    out->nodes[out->count] = (struct plumb_ibnet_node){
        .id = plumb_intern_str(rd->s->intern, id->text), .is_switch = is_switch, .at = id->at};
    plumb_map_set(&rd->ids, out->nodes[out->count].id, (void *)(uintptr_t)(out->count + 1));
    return out->count++;
}

static bool host_text(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        char c = plumb_lower(text[i]);

        if (!plumb_is_digit(c) && !(c >= 'a' && c <= 'z') && c != '-' && c != '_' && c != '.')
            return false;
    }
    return len > 0;
}

/* "MF0;leaf01:MQM9701/U1" is leaf01; Slurm takes no blank or list sign in a name. */
static const char *switch_name(struct reader *rd, const struct plumb_slice *desc)
{
    const char *from = memchr(desc->text, ';', desc->len), *to = NULL;
    size_t begin = from == NULL ? 0 : (size_t)(from - desc->text) + 1, len = 0;

    to = memchr(desc->text + begin, ':', desc->len - begin);
    len = to == NULL ? desc->len - begin : (size_t)(to - desc->text) - begin;
    return host_text(desc->text + begin, len)
               ? plumb_intern_text(rd->s->intern, desc->text + begin, len)
               : NULL;
}

/* "gpu001 mlx5_5": the host is what stands before the last blank, without its domain. */
static const char *host_name(struct reader *rd, const struct plumb_slice *desc)
{
    size_t len = desc->len;
    const char *dot = NULL;

    while (len > 0 && desc->text[len - 1] != ' ')
        len--;
    while (len > 0 && desc->text[len - 1] == ' ')
        len--;
    if (len == 0)
        len = desc->len;
    dot = memchr(desc->text, '.', len);
    if (dot != NULL && dot != desc->text)
        len = (size_t)(dot - desc->text);
    return host_text(desc->text, len) ? plumb_intern_text(rd->s->intern, desc->text, len) : NULL;
}

static void describe(struct reader *rd, size_t at, const struct plumb_slice *desc)
{
    struct plumb_ibnet_node *n = &rd->out->nodes[at];

    if (plumb_span_known(n->name_at))
        return;
    n->name_at = desc->at;
    n->sharp = !n->is_switch && (strstr(desc->text, "Aggregation Node") != NULL ||
                                 plumb_starts_with(n->id, "R-")); /* a router is no host either */
    n->name = n->is_switch ? switch_name(rd, desc) : host_name(rd, desc);
}

/* What follows '#': the description, in quotes. */
static void read_description(struct reader *rd, size_t node, const struct plumb_capture_line *line,
                             size_t from)
{
    const char *mark = from < line->len ? memchr(line->text + from, '#', line->len - from) : NULL;
    struct plumb_slice desc;

    if (mark == NULL)
        return;
    from = (size_t)(mark - line->text);
    if (quoted(rd->s->arena, rd->src, line, &from, &desc))
        describe(rd, node, &desc);
}

static bool read_record(struct reader *rd, const struct plumb_capture_line *line)
{
    for (size_t i = 0; i < PLUMB_COUNT(records); i++) {
        size_t from = strlen(records[i].word);
        struct plumb_slice id;

        if (!plumb_line_starts(line, records[i].word) || from >= line->len ||
            !plumb_is_blank(line->text[from]))
            continue;
        rd->current = SIZE_MAX;
        if (!quoted(rd->s->arena, rd->src, line, &from, &id)) {
            bad_line(rd, line, "the id of the node in quotes");
            return true;
        }
        rd->current = node_at(rd, &id, records[i].is_switch);
        if (rd->current == SIZE_MAX)
            return true;
        rd->out->nodes[rd->current].is_switch = records[i].is_switch;
        rd->out->nodes[rd->current].at = plumb_line_span(rd->src, line);
        if (!plumb_span_known(rd->out->at))
            rd->out->at = rd->out->nodes[rd->current].at;
        read_description(rd, rd->current, line, from);
        return true;
    }
    return false;
}

static void connect(struct reader *rd, size_t a, size_t b)
{
    struct plumb_ibnet_node *n = &rd->out->nodes[a];

    n->peers =
        plumb_arena_grow(rd->s->arena, n->peers, n->peer_count, &n->peer_cap, sizeof(*n->peers));
    n->peers[n->peer_count++] = (uint32_t)b;
}

/* "[12]" or "[12][ext 3]" in front (out_switch_port of ibnetdiscover). */
static bool is_numbered(const struct plumb_capture_line *line)
{
    size_t end = 1;

    while (end < line->len && plumb_is_digit(line->text[end]))
        end++;
    return end > 1 && end < line->len && line->text[end] == ']';
}

static void read_port(struct reader *rd, const struct plumb_capture_line *line)
{
    struct plumb_slice id;
    size_t from = 0, peer = 0;
    bool is_switch = false;

    if (!is_numbered(line)) {
        bad_line(rd, line, "the number of a port in brackets");
        return;
    }
    if (rd->current == SIZE_MAX || !quoted(rd->s->arena, rd->src, line, &from, &id)) {
        bad_line(rd, line, "the id of the node at the other end");
        return;
    }
    is_switch = plumb_starts_with(id.text, "S-");
    peer = node_at(rd, &id, is_switch);
    if (peer == SIZE_MAX || peer == rd->current)
        return;
    connect(rd, rd->current, peer);
    connect(rd, peer, rd->current);
    if (rd->out->nodes[rd->current].is_switch) /* else the description is of this end */
        read_description(rd, peer, line, from);
}

static bool is_fact(const struct plumb_capture_line *line)
{
    static const char *const keys[] = {
        "vendid=", "devid=",  "sysimgguid=", "switchguid=",       "caguid=",
        "rtguid=", "module ", "include ",    "DR path",           "Chassis",
        "rcvd",    "ibwarn",  "ibnetdisc",   "Non-Chassis Nodes", "Hostname: "};

    for (size_t i = 0; i < PLUMB_COUNT(keys); i++) {
        if (plumb_line_starts(line, keys[i]))
            return true;
    }
    return false;
}

/* An adapter without a name is a host of which nothing can be said. */
static void report_nameless(struct reader *rd)
{
    const struct plumb_ibnet_node *first = NULL;
    size_t count = 0;

    for (size_t i = 0; i < rd->out->count; i++) {
        const struct plumb_ibnet_node *n = &rd->out->nodes[i];

        if (n->is_switch || n->sharp || n->name != NULL)
            continue;
        if (plumb_starts_with(n->id, "S-"))
            continue; /* a switch that only ports name */
        first = first == NULL ? n : first;
        count++;
    }
    if (count == 0)
        return;
    plumb_ibnet_report(rd->s, PLUMB_IBNET_NAMELESS,
                       plumb_span_known(first->name_at) ? first->name_at : first->at,
                       "%zu adapter%s no host in the description, expected one such as 'gpu001 "
                       "mlx5_0'",
                       count, count == 1 ? " has" : "s have");
}

static void read_all(struct reader *rd)
{
    struct plumb_capture_line line;
    size_t at = 0;

    while (plumb_capture_next(rd->src->bytes, rd->src->len, &at, &line)) {
        if (line.len == 0 || line.text[0] == '#')
            continue;
        if (line.text[0] == '[')
            read_port(rd, &line);
        else if (!read_record(rd, &line) && !is_fact(&line))
            bad_line(rd, &line, "a record such as 'Switch 65 \"S-...\"'");
    }
    for (size_t i = 0; i < rd->out->count; i++) {
        struct plumb_ibnet_node *n = &rd->out->nodes[i];

        rd->out->switch_count += n->is_switch;
        if (!plumb_span_known(n->name_at) && !n->is_switch && host_text(n->id, strlen(n->id)) &&
            !plumb_starts_with(n->id, "H-")) {
            n->name = n->id; /* ibsim names nodes by their ids */
            n->name_at = n->at;
        }
    }
    if (rd->bad_lines > 1)
        plumb_diag_fact(rd->bad, "%zu more lines are none either", rd->bad_lines - 1);
}

static bool has_host(const struct plumb_ibnet *net)
{
    for (size_t i = 0; i < net->count; i++) {
        const struct plumb_ibnet_node *n = &net->nodes[i];

        if (!n->is_switch && !n->sharp && n->name != NULL)
            return true;
    }
    return false;
}

struct plumb_ibnet *plumb_ibnet_read(struct plumb_session *s, const struct plumb_source *src)
{
    struct reader rd = {.s = s, .src = src, .ids = plumb_map_in(s->arena), .current = SIZE_MAX};

    rd.out = PLUMB_NEW(s->arena, struct plumb_ibnet);
    rd.out->src = src;
    read_all(&rd);
    if (rd.out->switch_count == 0) {
        struct plumb_span at = {src->id, 0, 0};

        plumb_ibnet_report(s, PLUMB_IBNET_NO_SWITCH, plumb_span_known(rd.out->at) ? rd.out->at : at,
                           "the capture shows %zu node%s and no switch, expected the switches of "
                           "the fabric",
                           rd.out->count, rd.out->count == 1 ? "" : "s");
        return NULL;
    }
    report_nameless(&rd);
    if (!has_host(rd.out)) {
        plumb_ibnet_report(s, PLUMB_IBNET_NO_HOST, rd.out->at,
                           "the capture shows %zu switch%s and no adapter that tells its host, "
                           "expected the nodes of the cluster",
                           rd.out->switch_count, rd.out->switch_count == 1 ? "" : "es");
        return NULL;
    }
    return rd.out;
}

bool plumb_ibnet_sniff(const char *text, size_t len)
{
    struct plumb_capture_line line;
    size_t at = 0, lines = 0;

    while (lines < 400 && plumb_capture_next(text, len, &at, &line)) {
        lines++;
        for (size_t i = 0; i < PLUMB_COUNT(records); i++) {
            size_t n = strlen(records[i].word);

            if (!plumb_line_starts(&line, records[i].word) || n + 2 >= line.len ||
                !plumb_is_blank(line.text[n]))
                continue;
            while (n < line.len && (plumb_is_blank(line.text[n]) || plumb_is_digit(line.text[n])))
                n++;
            return n < line.len && line.text[n] == '"';
        }
    }
    return false;
}

const struct plumb_rule plumb_ibnet_rows[PLUMB_IBNET_ROW_COUNT] = {
    [PLUMB_IBNET_NO_SWITCH] =
        {
            .code = "HW070",
            .name = "fabric-no-switch",
            .severity = PLUMB_ERROR,
            .summary = "a capture of the fabric shows no switch",
            .why = "The port was down, or no subnet manager ran: ibnetdiscover then sees the local "
                   "adapter alone, and nothing follows from that.",
            .ref = "ibnetdiscover(8)",
            .bad = "Ca 1 \"H-1\" # \"n1 mlx5_0\"\n",
            .good = "Switch 65 \"S-1\" # \"MF0;leaf1:MQM9701/U1\"\n"
                    "[1] \"H-1\"[1] # \"n1 mlx5_0\" lid 11 4xNDR\n",
        },
    [PLUMB_IBNET_NO_HOST] =
        {
            .code = "HW079",
            .name = "fabric-no-host",
            .severity = PLUMB_ERROR,
            .summary = "a capture of the fabric shows switches and no host",
            .why = "A topology of it would be empty, and slurmctld does not start with an empty "
                   "file. The capture is a part of a larger one, or no host tells its name.",
            .ref = "ibnetdiscover(8); topology.conf(5)",
            .bad = "Switch 65 \"S-1\" # \"MF0;leaf1:MQM9701/U1\"\n"
                   "[33] \"S-3\"[1] # \"MF0;spine1:MQM9701/U1\" lid 1 4xNDR\n",
            .good = "Switch 65 \"S-1\" # \"MF0;leaf1:MQM9701/U1\"\n"
                    "[1] \"H-1\"[1] # \"n1 mlx5_0\" lid 11 4xNDR\n"
                    "[33] \"S-3\"[1] # \"MF0;spine1:MQM9701/U1\" lid 1 4xNDR\n",
        },
    [PLUMB_IBNET_LINE] =
        {
            .code = "HW071",
            .name = "fabric-line",
            .severity = PLUMB_WARNING,
            .summary = "a line of a capture of the fabric cannot be read",
            .why = "A link or node is missing from what follows.",
            .ref = "ibnetdiscover(8)",
            .bad = "Switch 65 \"S-1\" # \"MF0;leaf1:MQM9701/U1\"\n"
                   "[1] \"H-1\"[1] # \"n1 mlx5_0\" lid 11 4xNDR\n"
                   "[2] \"H-2\n",
            .good = "Switch 65 \"S-1\" # \"MF0;leaf1:MQM9701/U1\"\n"
                    "[1] \"H-1\"[1] # \"n1 mlx5_0\" lid 11 4xNDR\n"
                    "[2] \"H-2\"[1] # \"n2 mlx5_0\" lid 12 4xNDR\n",
        },
    [PLUMB_IBNET_NAMELESS] =
        {
            .code = "HW072",
            .name = "fabric-nameless",
            .severity = PLUMB_WARNING,
            .summary = "adapters of the fabric do not tell their host",
            .why = "Their nodes are at no leaf as far as plumb can tell. The description is set by "
                   "rdma-ndd from the host's name.",
            .ref = "ibnetdiscover(8); rdma-ndd(8)",
            .bad = "Switch 65 \"S-1\" # \"MF0;leaf1:MQM9701/U1\"\n"
                   "[1] \"H-1\"[1] # \"n1 mlx5_0\" lid 11 4xNDR\n"
                   "[2] \"H-2\"[1] # \"MT4129 ConnectX7   Mellanox Technologies\" lid 12 4xNDR\n",
            .good = "Switch 65 \"S-1\" # \"MF0;leaf1:MQM9701/U1\"\n"
                    "[1] \"H-1\"[1] # \"n1 mlx5_0\" lid 11 4xNDR\n"
                    "[2] \"H-2\"[1] # \"n2 mlx5_0\" lid 12 4xNDR\n",
        },
    [PLUMB_IBNET_FEWER_LEAVES] =
        {
            .code = "HW073",
            .name = "fabric-fewer-leaves",
            .severity = PLUMB_WARNING,
            .summary = "a host is connected to fewer leaves than those beside it",
            .why = "In a rail-optimised fabric each adapter of a host has a leaf of its own; one "
                   "that is missing was down when the fabric was captured.",
            .ref = "ibnetdiscover(8)",
            .bad = "Switch 65 \"S-1\" # \"MF0;leaf1:MQM9701/U1\"\n"
                   "[1] \"H-1\"[1] # \"n1 mlx5_0\" lid 11 4xNDR\n"
                   "[2] \"H-2\"[1] # \"n2 mlx5_0\" lid 12 4xNDR\n"
                   "[3] \"H-5\"[1] # \"n3 mlx5_0\" lid 15 4xNDR\n"
                   "[33] \"S-3\"[1] # \"MF0;spine1:MQM9701/U1\" lid 1 4xNDR\n"
                   "Switch 65 \"S-2\" # \"MF0;leaf2:MQM9701/U1\"\n"
                   "[1] \"H-3\"[1] # \"n1 mlx5_1\" lid 13 4xNDR\n"
                   "[2] \"H-4\"[1] # \"n2 mlx5_1\" lid 14 4xNDR\n"
                   "[33] \"S-3\"[2] # \"MF0;spine1:MQM9701/U1\" lid 1 4xNDR\n",
            .good = "Switch 65 \"S-1\" # \"MF0;leaf1:MQM9701/U1\"\n"
                    "[1] \"H-1\"[1] # \"n1 mlx5_0\" lid 11 4xNDR\n"
                    "[2] \"H-2\"[1] # \"n2 mlx5_0\" lid 12 4xNDR\n"
                    "[3] \"H-5\"[1] # \"n3 mlx5_0\" lid 15 4xNDR\n"
                    "[33] \"S-3\"[1] # \"MF0;spine1:MQM9701/U1\" lid 1 4xNDR\n"
                    "Switch 65 \"S-2\" # \"MF0;leaf2:MQM9701/U1\"\n"
                    "[1] \"H-3\"[1] # \"n1 mlx5_1\" lid 13 4xNDR\n"
                    "[2] \"H-4\"[1] # \"n2 mlx5_1\" lid 14 4xNDR\n"
                    "[3] \"H-6\"[1] # \"n3 mlx5_1\" lid 16 4xNDR\n"
                    "[33] \"S-3\"[2] # \"MF0;spine1:MQM9701/U1\" lid 1 4xNDR\n",
        },
};

const struct plumb_rule_family plumb_ibnet_rules = {
    .prefix = "HW",
    .title = "Captures: ibnetdiscover",
    .rules = plumb_ibnet_rows,
    .count = PLUMB_IBNET_ROW_COUNT,
};
