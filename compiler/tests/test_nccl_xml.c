/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dialect that NCCL reads. The verdicts are those of its own parser, 2.30.7, run over files
 * like these (facts: "Grammar actually accepted"); the two that its source alone shows say so.
 */
#include "fixture.h"

#include <string.h>

#include "capture/nccl.h"

#define CPU "<cpu numaid=\"0\" affinity=\"ff\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
#define PCI                                                                                        \
    "<pci busid=\"0000:0a:00.0\" class=\"0x030200\" link_speed=\"32.0 GT/s PCIe\" "                \
    "link_width=\"16\"/>\n"
#define SYS "<system version=\"1\">\n"
#define END "</cpu>\n</system>\n"

struct probe {
    const char *name, *text;
    const char *code; /* NULL: taken, and read as written */
    uint32_t line, column;
};

static const struct probe probes[] = {
    {"a plain file", SYS CPU PCI END, NULL, 0, 0},
    {"comments of several lines", "<!-- a\n b -->\n" SYS CPU PCI "<!-- c -->" END, NULL, 0, 0},
    {"a comment with a tab", "<!-- a\tb -->\n" SYS CPU PCI END, NULL, 0, 0},
    {"a comment with tags", "<!-- <cpu> -->\n" SYS CPU PCI END, NULL, 0, 0},
    {"an empty line first", "\n" SYS CPU PCI END, NULL, 0, 0},
    {"line ends of DOS", "<system version=\"1\">\r\n" CPU PCI "</cpu>\r\n</system>\r\n", NULL, 0,
     0},
    {"a blank before the slash", SYS "<cpu numaid=\"0\" affinity=\"ff\" />\n</system>\n", NULL, 0,
     0},
    {"two blanks between attributes", SYS "<cpu numaid=\"0\"  affinity=\"ff\"/>\n</system>\n", NULL,
     0, 0},
    {"an entity stays as it is", SYS "<cpu numaid=\"0\" name=\"a&amp;b\"/>\n</system>\n", NULL, 0,
     0},
    {"an ampersand", SYS "<cpu numaid=\"0\" name=\"a&b\"/>\n</system>\n", NULL, 0, 0},
    {"a line break in a value", SYS "<cpu numaid=\"0\" name=\"a\nb\"/>\n</system>\n", NULL, 0, 0},
    {"a value of 254 bytes", NULL, NULL, 254, 0},
    {"a declaration", "<?xml version=\"1.0\"?>\n" SYS CPU PCI END, "NCCL004", 1, 1},
    {"a document type", "<!DOCTYPE system>\n" SYS CPU PCI END, "NCCL004", 1, 1},
    {"a byte order mark", "\xef\xbb\xbf" SYS CPU PCI END, "NCCL004", 1, 1},
    {"a tab between tags", SYS "\t" CPU PCI END, "NCCL004", 2, 1},
    {"a tab in a tag", SYS "<cpu numaid=\"0\"\taffinity=\"ff\"/>\n</system>\n", "NCCL004", 2, 16},
    {"a line break in a tag", SYS "<cpu numaid=\"0\"\naffinity=\"ff\"/>\n</system>\n", "NCCL004", 2,
     16},
    {"text", SYS "hello\n" CPU PCI END, "NCCL004", 2, 1},
    {"character data", SYS "<![CDATA[x]]>" CPU PCI END, "NCCL004", 2, 1},
    {"no quotes", SYS "<cpu numaid=0/>\n</system>\n", "NCCL004", 2, 13},
    {"a blank behind the equals sign", SYS "<cpu numaid= \"0\"/>\n</system>\n", "NCCL004", 2, 13},
    {"single quotes, before 2.27", SYS "<cpu numaid='0'/>\n</system>\n", "NCCL006", 2, 13},
    {"no end", SYS CPU PCI "</cpu>\n", "NCCL004", 1, 1},
    {"another end", SYS CPU PCI "</system>\n</cpu>\n", "NCCL004", 4, 1},
    {"an end without a beginning", SYS CPU PCI END "</system>\n", "NCCL004", 6, 1},
    {"a blank in an end tag", SYS CPU PCI "</cpu >\n</system>\n", "NCCL004", 4, 6}, /* read */
    {"an equals sign in a comment's first word", "<!--a=b -->\n" SYS CPU PCI END, "NCCL004", 1,
     1}, /* read */
    {"a value of 255 bytes", NULL, "NCCL004", 255, 0},
    {"an attribute without value", SYS "<cpu numaid=\"0\" fast/>\n</system>\n", "NCCL005", 2, 17},
    {"an unknown element", SYS CPU PCI "<dpu a=\"1\"><pci/></dpu>\n" END, "NCCL005", 4, 1},
    {"a gpu below a cpu", SYS CPU "<gpu dev=\"0\"/>\n" END, "NCCL005", 3, 1},
    {"a net below a device",
     SYS CPU "<pci busid=\"0000:0a:00.0\" class=\"0x020000\"><net name=\"a\"/></pci>\n" END,
     "NCCL005", 3, 44},
    {"another root", "<graphs version=\"1\"/>\n", "NCCL008", 1, 1},
    {"an empty file", "", "NCCL008", 1, 1},
    {"comments alone", "<!-- nothing -->\n", "NCCL008", 1, 1},
    {"no version", "<system>\n" CPU PCI END, "NCCL009", 1, 1},
    {"the version of RCCL", "<system version=\"2\">\n" CPU PCI END, "NCCL009", 1, 18},
    {"no numaid", SYS "<cpu affinity=\"ff\"/>\n</system>\n", "NCCL009", 2, 1},
    {"no bus id", SYS CPU "<pci class=\"0x030200\"/>\n" END, "NCCL009", 3, 1},
    {"a made-up bridge without class",
     SYS CPU "<pci busid=\"ffff:ff:01.0\" link_speed=\"16 GT/s\" link_width=\"16\">" PCI
             "</pci>\n" END,
     "NCCL009", 3, 1},
    {"a made-up bridge without a link",
     SYS CPU "<pci busid=\"ffff:ff:01.0\" class=\"0x060400\" link_width=\"16\">" PCI "</pci>\n" END,
     "NCCL009", 3, 1},
    {"a made-up bridge with all of it",
     SYS CPU "<pci busid=\"ffff:ff:01.0\" class=\"0x060400\" link_speed=\"16 GT/s\" "
             "link_width=\"16\">" PCI "</pci>\n" END,
     NULL, 0, 0},
    {"a link without count",
     SYS CPU "<pci busid=\"0000:0a:00.0\" class=\"0x030200\"><gpu dev=\"0\" sm=\"90\"><nvlink "
             "target=\"0000:0b:00.0\" tclass=\"0x068000\"/></gpu></pci>\n" END,
     "NCCL009", 3, 65},
    {"a gpu below a bridge",
     SYS CPU "<pci busid=\"0000:0a:00.0\" class=\"0x060400\"><gpu dev=\"0\"/></pci>\n" END,
     "NCCL010", 3, 34},
    {"a NUMA node of -1 beside another",
     SYS "<cpu numaid=\"-1\"/>\n<cpu numaid=\"0\"/>\n</system>\n", "NCCL011", 2, 14},
    {"a NUMA node of -1 alone", SYS "<cpu numaid=\"-1\"/>\n</system>\n", NULL, 0, 0},
    {"one NUMA node twice", SYS "<cpu numaid=\"0\"/>\n<cpu numaid=\"0\"/>\n</system>\n", "NCCL011",
     3, 14},
    {"aarch64", SYS "<cpu numaid=\"0\" arch=\"aarch64\"/>\n</system>\n", "NCCL012", 2, 23},
    {"arm64", SYS "<cpu numaid=\"0\" arch=\"arm64\"/>\n</system>\n", NULL, 0, 0},
    {"another vendor", SYS "<cpu numaid=\"0\" arch=\"x86_64\" vendor=\"AMD\"/>\n</system>\n",
     "NCCL012", 2, 39},
    {"a host hash", SYS "<cpu numaid=\"0\" host_hash=\"0x1\"/>\n</system>\n", "NCCL013", 2, 28},
    {"a bus id twice", SYS CPU PCI PCI END, "NCCL014", 4, 13},
    {"a bus id in upper case", SYS CPU "<pci busid=\"0000:0A:00.0\" class=\"0x030200\"/>\n" END,
     "NCCL014", 3, 13},
    {"a bus id without domain", SYS CPU "<pci busid=\"0a:00.0\" class=\"0x030200\"/>\n" END,
     "NCCL014", 3, 13},
    {"a speed in other words",
     SYS CPU "<pci busid=\"0000:0a:00.0\" class=\"0x030200\" link_speed=\"32.0 GT/s\" "
             "link_width=\"16\"/>\n" END,
     "NCCL015", 3, 56},
    {"a speed that is not known",
     SYS CPU
     "<pci busid=\"0000:0a:00.0\" class=\"0x030200\" link_speed=\"\" link_width=\"\"/>\n" END,
     NULL, 0, 0},
};

/* A value of as many bytes as the probe's line says. */
static const char *long_value(struct fixture *fx, uint32_t len)
{
    struct plumb_buf b = plumb_buf_in(fx->arena);

    plumb_buf_str(&b, SYS "<cpu numaid=\"0\" name=\"");
    plumb_buf_fill(&b, 'a', len);
    plumb_buf_str(&b, "\"/>\n</system>\n");
    return plumb_buf_text(&b);
}

static void check_probe(struct fixture *fx, const struct probe *p)
{
    const char *text = p->text == NULL ? long_value(fx, p->line) : p->text;
    const struct plumb_source *src =
        plumb_source_add(&fx->session.sources, p->name, text, strlen(text));
    const struct plumb_sink *sink = &fx->session.sink;
    size_t before = sink->count;
    struct plumb_place at;

    (void)plumb_nccl_read(&fx->session, src, true);
    if (p->code == NULL) {
        if (sink->count != before)
            fail_msg("%s: %s %s", p->name, sink->items[before]->rule->code,
                     sink->items[before]->message);
        return;
    }
    if (sink->count != before + 1)
        fail_msg("%s: %zu findings, expected %s%s%s", p->name, sink->count - before, p->code,
                 sink->count > before ? "; " : "",
                 sink->count > before + 1 ? sink->items[before + 1]->message : "");
    at = plumb_source_place(&fx->session.sources, sink->items[before]->at);
    assert_string_equal(sink->items[before]->rule->code, p->code);
    if (p->text != NULL && (at.line != p->line || at.column != p->column))
        fail_msg("%s: at %u:%u, expected %u:%u", p->name, at.line, at.column, p->line, p->column);
}

static void the_dialect_is_read_as_nccl_reads_it(void **state)
{
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(probes); i++)
        check_probe(fx, &probes[i]);
}

/* A file of so many elements, as a row of NUMA nodes with so many devices each. */
static const char *big_file(struct fixture *fx, uint32_t elements, uint32_t per_cpu)
{
    struct plumb_buf b = plumb_buf_in(fx->arena);
    uint32_t count = 1, cpu = 0;

    plumb_buf_str(&b, SYS);
    while (count < elements) {
        plumb_buf_printf(&b, "<cpu numaid=\"%u\">\n", cpu);
        count++;
        for (uint32_t i = 0; i < per_cpu && count < elements; i++, count++)
            plumb_buf_printf(&b, "<pci busid=\"%04x:%02x:00.0\"/>\n", cpu, i);
        plumb_buf_str(&b, "</cpu>\n");
        cpu++;
    }
    plumb_buf_str(&b, "</system>\n");
    return plumb_buf_text(&b);
}

static void the_limits_are_those_of_nccl(void **state)
{
    static const struct {
        uint32_t elements, per_cpu;
        const char *code;
        enum plumb_severity severity;
    } rows[] = {
        {199, 32, NULL, PLUMB_INFO},          {200, 32, "NCCL007", PLUMB_WARNING},
        {255, 32, "NCCL007", PLUMB_WARNING},  {256, 32, "NCCL007", PLUMB_ERROR},
        {1000, 32, "NCCL007", PLUMB_ERROR},   {100, 33, "NCCL007", PLUMB_WARNING},
        {150, 128, "NCCL007", PLUMB_WARNING},
    };
    struct fixture *fx = *state;

    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        const char *text = big_file(fx, rows[i].elements, rows[i].per_cpu);
        const struct plumb_source *src =
            plumb_source_add(&fx->session.sources, "big", text, strlen(text));
        const size_t before = 0;

        fx_row(fx, i, rows[i].code == NULL ? "none" : rows[i].code);
        (void)plumb_nccl_read(&fx->session, src, true);
        if (rows[i].code == NULL) {
            assert_int_equal(fx->session.sink.count, before);
            continue;
        }
        assert_true(fx->session.sink.count > before);
        assert_string_equal(fx->session.sink.items[before]->rule->code, rows[i].code);
        assert_int_equal(fx->session.sink.items[before]->severity, rows[i].severity);
    }
}

/* Four faults that have nothing to do with each other are four findings. */
static void each_fault_is_told(void **state)
{
    static const char text[] =
        "<?xml version=\"1.0\"?>\n" SYS "\t<cpu numaid=\"0\" arch=\"aarch64\">\n"
        "\t<pci busid=\"0000:0A:00.0\"/>\n" END;
    static const char *const codes[] = {"NCCL004", "NCCL004", "NCCL012", "NCCL014"};
    struct fixture *fx = *state;

    (void)plumb_nccl_read(&fx->session,
                          plumb_source_add(&fx->session.sources, "in", text, strlen(text)), true);
    assert_int_equal(fx->session.sink.count, PLUMB_COUNT(codes));
    for (size_t i = 0; i < PLUMB_COUNT(codes); i++)
        assert_string_equal(fx->session.sink.items[i]->rule->code, codes[i]);
}

static void files_are_known_by_their_first_element(void **state)
{
    static const struct {
        const char *text;
        bool nccl;
    } rows[] = {
        {SYS, true},
        {"<!-- <topology> -->\n<system version='1'>", true},
        {"<?xml version=\"1.0\"?>\n<system name=\"x\">", true},
        {"<systemd>", false},
        {"<graphs version=\"1\">", false},
        {"<!-- <system version -->", false},
        {"<!--", false},
        {"<system", false},
        {"", false},
    };

    (void)state;
    for (size_t i = 0; i < PLUMB_COUNT(rows); i++) {
        if (plumb_nccl_sniff(rows[i].text, strlen(rows[i].text)) != rows[i].nccl)
            fail_msg("row %zu", i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_dialect_is_read_as_nccl_reads_it, fx_setup,
                                        fx_teardown),
        cmocka_unit_test_setup_teardown(the_limits_are_those_of_nccl, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(each_fault_is_told, fx_setup, fx_teardown),
        cmocka_unit_test(files_are_known_by_their_first_element),
    };

    return cmocka_run_group_tests_name("nccl files", tests, NULL, NULL);
}
