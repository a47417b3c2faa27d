/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The examples of rules, as `plumb explain` shows them: the bad text makes plumb report the rule,
 * the good one does not and has no error. A line "# NAME" begins the file of that name; without
 * one the family or the first key says which file it is. "# plumb check --slurm 24.11" in a text
 * chooses options. What an example takes for granted stands in rule_examples.h. An example of FLEET
 * is a folder of captures, audited: "# gpu[1-2]/NAME" begins the same file of two machines.
 */
#include <unistd.h>

#include "case_run.h"

#include "api/internal.h"
#include "base/num.h"
#include "base/text.h"
#include "passes/audit.h"
#include "rule_examples.h"
#include "rules/check.h"

/* Families whose texts without a heading are of one file. */
static const struct {
    const char *prefix, *file;
} families[] = {
    {"CONF", "slurm.conf"},  {"HOST", "slurm.conf"},   {"YAML", "cluster.yaml"},
    {"GEN", "cluster.yaml"}, {"SPEC", "cluster.yaml"}, {"HW05", "topo-m.txt"},
    {"HW06", "topo-m.txt"},  {"HW0", "hwloc.xml"},
};

/* A whole specification, section by section: an example takes the place of those that it has. */
static const struct {
    const char *key, *text;
} sections[] = {
    {"plumb", "plumb: 1\n"},
    {"cluster", "cluster: demo\n"},
    {"slurm", "slurm: \"25.05\"\n"},
    {"control", "control:\n  hosts: [cp-01]\n"},
    {"nodes", "nodes:\n  dgx:\n    hosts: dgx-[1-4]\n    topology: dgx-h100\n"
              "    gres: {gpu: {type: h100}}\n"},
    {"partitions", "partitions:\n  all:\n    nodes: all\n"},
};

/* Where examples of one key belong: behind this section, under these lines, so far indented. */
static const struct {
    const char *code, *section, *above;
    int indent;
} places[] = {
    {"SPEC004", "nodes", "", 4},
    {"SPEC005", "", "scheduling:\n  backfill:\n", 4},
    {"SPEC006", "", "scheduling:\n  backfill:\n", 4},
    {"SPEC007", "control", "", 2},
    {"SPEC008", "control", "", 2},
    {"SPEC009", "", "database:\n  host: db-01\n  storage:\n    host: db-01\n", 4},
    {"SPEC011", "", "control:\n", 2},
    {"SPEC014", "partitions", "", 4},
    {"SPEC015", "nodes", "", 4},
    {"SPEC021", "partitions", "", 4},
    {"SPEC024", "partitions", "", 4},
};

/* A line of the text begins with the key. */
static bool has_section(const char *text, const char *key)
{
    size_t len = strlen(key);

    for (const char *at = text; at != NULL; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, key, len) == 0 && at[len] == ':')
            return true;
        if (*at == '\0')
            return false;
    }
    return false;
}

static void add_indented(struct plumb_buf *out, const char *text, int indent)
{
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");

        plumb_buf_printf(out, "%*s%.*s\n", indent, "", (int)len, text);
        text += len + (text[len] == '\n');
    }
}

static const char *whole_spec(struct plumb_arena *a, const char *code, const char *text)
{
    struct plumb_buf out = plumb_buf_in(a);
    const char *section = NULL, *above = "";
    int indent = 0;

    for (size_t i = 0; i < PLUMB_COUNT(places); i++) {
        if (strcmp(places[i].code, code) == 0) {
            section = places[i].section;
            above = places[i].above;
            indent = places[i].indent;
        }
    }
    for (size_t i = 0; i < PLUMB_COUNT(sections); i++) {
        bool here = section != NULL && strcmp(section, sections[i].key) == 0;

        if ((section == NULL && has_section(text, sections[i].key)) ||
            has_section(above, sections[i].key))
            continue;
        plumb_buf_str(&out, sections[i].text);
        if (here)
            add_indented(&out, text, indent);
    }
    if (section == NULL || section[0] == '\0') {
        plumb_buf_str(&out, above);
        add_indented(&out, text, indent);
    }
    return plumb_buf_text(&out);
}

/* The file that a line "# NAME" begins; NULL: it is another line. */
static const char *heading(struct plumb_arena *a, const char *line, size_t len)
{
    static const char *const ends[] = {".conf", ".yaml", ".xml", ".txt", ".json", ".sbatch", ".sh"};
    const char *name = NULL;

    if (len < 6 || strncmp(line, "# ", 2) != 0 || memchr(line + 2, ' ', len - 2) != NULL)
        return NULL;
    name = plumb_arena_strndup(a, line + 2, len - 2);
    for (size_t i = 0; i < PLUMB_COUNT(ends); i++) {
        if (plumb_ends_with(name, ends[i]))
            return name;
    }
    return NULL;
}

struct files {
    struct plumb_arena *arena;
    const char *folder;
    struct {
        const char *name;
        struct plumb_buf text;
    } items[12];
    size_t count;
};

/* Captures are those of node g. */
static const char *file_path(struct plumb_arena *a, const char *name)
{
    bool capture = plumb_ends_with(name, ".txt") || plumb_starts_with(name, "hwloc") ||
                   plumb_starts_with(name, "smi") || plumb_ends_with(name, ".json");

    return capture && strchr(name, '/') == NULL ? plumb_arena_printf(a, "captures/g/%s", name)
                                                : name;
}

static struct plumb_buf *file_find(struct files *f, const char *name)
{
    for (size_t i = 0; i < f->count; i++) {
        if (strcmp(f->items[i].name, name) == 0)
            return &f->items[i].text;
    }
    return NULL;
}

/* The file of a name, at the start of a line. */
static struct plumb_buf *file_of(struct files *f, const char *name)
{
    struct plumb_buf *out = NULL;

    name = file_path(f->arena, name);
    out = file_find(f, name);
    if (out == NULL) {
        assert_true(f->count < PLUMB_COUNT(f->items));
        f->items[f->count].name = name;
        f->items[f->count].text = plumb_buf_in(f->arena);
        return &f->items[f->count++].text;
    }
    if (out->len > 0 && out->text[out->len - 1] != '\n')
        plumb_buf_char(out, '\n');
    return out;
}

/* Adds the text of each file. A directive is shown without the interpreter of its script. */
static void add_files(struct files *f, const char *file, const char *text, bool whole)
{
    struct plumb_buf *out = NULL;

    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        size_t size = len + (text[len] == '\n');
        const char *name = heading(f->arena, text, len);

        if (name != NULL) {
            file = name;
        } else if (!plumb_starts_with(text, "# plumb check ")) {
            out = file_of(f, file);
            if (out->len == 0 && !whole && plumb_ends_with(file, ".sbatch") &&
                strncmp(text, "#!", 2) != 0)
                plumb_buf_str(out, "#!/bin/bash\n");
            plumb_buf_add(out, text, size);
        }
        text += size;
    }
}

/* A line of a conf file begins with the key. */
static bool has_key(const char *text, const char *key, size_t len)
{
    while (*text != '\0') {
        if (plumb_equal_nocase(text, key, len))
            return true;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return false;
}

/* True when the example has the key of a line of slurm.conf. */
static bool key_given(const char *given, const char *line)
{
    size_t len = strcspn(line, "=") + 1;

    return has_key(given, line, len) ||
           (strncmp(line, "SlurmctldHost=", len) == 0 && has_key(given, "ControlMachine=", 15));
}

/*
 * Adds the text of a file of several machines to each: "gpu[1-2]/ibstat.txt" is two files. Numbers
 * have one digit.
 */
static void add_copies(struct files *f)
{
    for (size_t i = 0; i < f->count; i++) {
        const char *name = f->items[i].name, *range = strchr(name, '[');

        if (range == NULL)
            continue;
        assert_true(plumb_is_digit(range[1]) && range[2] == '-' && plumb_is_digit(range[3]) &&
                    range[4] == ']');
        for (char n = range[1]; n <= range[3]; n++)
            plumb_buf_str(file_of(f, plumb_arena_printf(f->arena, "%.*s%c%s", (int)(range - name),
                                                        name, n, range + 5)),
                          plumb_buf_text(&f->items[i].text));
        memmove(&f->items[i], &f->items[i + 1], (f->count - i - 1) * sizeof(f->items[0]));
        f->count--;
        i--;
    }
}

/* Puts lines before those of slurm.conf, except those whose key is given. */
static void put_before(struct files *f, const char *lines)
{
    struct plumb_buf *out = file_of(f, "slurm.conf");
    const char *given = plumb_arena_strdup(f->arena, plumb_buf_text(out));

    out->len = 0;
    while (*lines != '\0') {
        size_t len = strcspn(lines, "\n");

        if (!key_given(given, lines))
            plumb_buf_printf(out, "%.*s\n", (int)len, lines);
        lines += len + (lines[len] == '\n');
    }
    plumb_buf_str(out, given);
}

/* Adds what the example takes for granted: other files, and lines of slurm.conf. */
static void add_beside(struct files *f, const char *text)
{
    struct files beside = {.arena = f->arena};

    add_files(&beside, "slurm.conf", text, false);
    for (size_t i = 0; i < beside.count; i++) {
        const char *name = beside.items[i].name;
        const struct plumb_buf *conf = file_find(f, "slurm.conf");
        bool other_nodes = conf != NULL && strcmp(name, "gres.conf") == 0 &&
                           has_key(plumb_buf_text(conf), "NodeName=", 9);

        if (strcmp(name, "slurm.conf") == 0)
            put_before(f, plumb_buf_text(&beside.items[i].text));
        else if (file_find(f, name) == NULL && !other_nodes)
            plumb_buf_str(file_of(f, name), plumb_buf_text(&beside.items[i].text));
    }
}

/* An attribute of the tag at text, up to its end. */
static bool tag_has(const char *text, const char *attribute)
{
    const char *end = strchr(text, '>');
    const char *at = strstr(text, attribute);

    return at != NULL && end != NULL && at < end;
}

/* Puts in the complete set of an object where it is not shown. */
static void complete_set(struct plumb_buf *out, const char *tag, const char *name,
                         const char *otherwise)
{
    const char *key = plumb_arena_printf(out->arena, " %s=\"", name);
    const char *complete = plumb_arena_printf(out->arena, " complete_%s=\"", name);
    const char *value = strstr(tag, key);

    if (tag_has(tag, complete))
        return;
    if (!tag_has(tag, key))
        plumb_buf_str(out, otherwise);
    else
        plumb_buf_printf(out, "%s%.*s\" ", complete + 1, (int)strcspn(value + strlen(key), "\""),
                         value + strlen(key));
}

/*
 * hwloc writes every set of every object. Examples show what matters; the rest is put in here, and
 * the parts of the machine that are not shown: two cores of one package, and a GPU.
 */
static void complete_objects(struct plumb_buf *out, const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        if (strncmp(at, "<object ", 8) != 0) {
            plumb_buf_char(out, *at);
            continue;
        }
        plumb_buf_str(out, "<object ");
        if (!tag_has(at, "gp_index"))
            plumb_buf_printf(out, "gp_index=\"%zu\" ", out->len);
        if (tag_has(at, " cpuset=\"")) {
            complete_set(out, at, "cpuset", "");
            complete_set(out, at, "nodeset", "nodeset=\"0x1\" complete_nodeset=\"0x1\" ");
        }
        at += strlen("<object ") - 1;
    }
}

/* The first line where it begins so, and goes on behind it; the other text otherwise. */
static const char *line_or(struct plumb_arena *a, const char **text, const char *begin,
                           const char *other)
{
    size_t len = strcspn(*text, "\n");
    const char *line = *text;

    if (!plumb_starts_with(*text, begin))
        return other;
    *text += len + (line[len] == '\n');
    return plumb_arena_strndup(a, line, len);
}

static const char *whole_hwloc(struct plumb_arena *a, const char *text)
{
    static const struct {
        const char *type, *text;
    } parts[] = {
        {"\"NUMANode\"",
         "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x3\" local_memory=\"1073741824\"/>\n"},
        {"\"PU\"", "<object type=\"Package\" os_index=\"0\" cpuset=\"0x3\">"
                   "<object type=\"Core\" os_index=\"0\" cpuset=\"0x1\">"
                   "<object type=\"PU\" os_index=\"0\" cpuset=\"0x1\"/></object>"
                   "<object type=\"Core\" os_index=\"1\" cpuset=\"0x2\">"
                   "<object type=\"PU\" os_index=\"1\" cpuset=\"0x2\"/></object></object>\n"},
        {"PCIDev", "<object type=\"Bridge\" bridge_type=\"0-1\" bridge_pci=\"0000:[1b-1b]\">"
                   "<object type=\"PCIDev\" pci_busid=\"0000:1b:00.0\" "
                   "pci_type=\"0302 [10de:2330] [10de:16c1] a1\" pci_link_speed=\"63\"/>"
                   "</object>\n"},
    };
    struct plumb_buf out = plumb_buf_in(a), all = plumb_buf_in(a);

    if (plumb_starts_with(text, "<?xml"))
        return text;
    if (strstr(text, "</topology>") == NULL) {
        bool info = plumb_starts_with(text, "<info"),
             closed = strstr(text, "\n<distances2") != NULL || strstr(text, "\n<cpukind") != NULL;

        plumb_buf_printf(&out, "%s\n",
                         line_or(a, &text, "<topology", "<topology version=\"2.0\">"));
        plumb_buf_printf(&out, "%s\n",
                         line_or(a, &text, "<object type=\"Machine\"",
                                 "<object type=\"Machine\" os_index=\"0\" cpuset=\"0x3\">"));
        if (info)
            plumb_buf_str(&out, text);
        for (size_t i = 0; i < PLUMB_COUNT(parts); i++) {
            if (strstr(text, parts[i].type) == NULL)
                plumb_buf_str(&out, parts[i].text);
        }
        plumb_buf_printf(&out, "%s%s</topology>\n", info ? "" : text, closed ? "" : "</object>\n");
        text = plumb_buf_text(&out);
    }
    complete_objects(&all, text);
    return plumb_buf_text(&all);
}

/* Makes the folders of a path below the folder. */
static void make_folders(struct plumb_arena *a, const char *folder, const char *name)
{
    for (const char *at = strchr(name, '/'); at != NULL; at = strchr(at + 1, '/'))
        (void)mkdir(plumb_arena_printf(a, "%s/%.*s", folder, (int)(at - name), name), 0700);
}

static void write_files(const struct files *f)
{
    for (size_t i = 0; i < f->count; i++) {
        bool hwloc = plumb_ends_with(f->items[i].name, "hwloc.xml");
        const char *text = plumb_buf_text(&f->items[i].text);
        size_t len = f->items[i].text.len;
        const char *path = plumb_arena_printf(f->arena, "%s/%s", f->folder, f->items[i].name);
        FILE *out = NULL;

        if (hwloc) {
            text = whole_hwloc(f->arena, text);
            len = strlen(text);
        }
        make_folders(f->arena, f->folder, f->items[i].name);
        out = fopen(path, "wb");
        assert_non_null(out);
        assert_int_equal(fwrite(text, 1, len, out), len);
        assert_int_equal(fclose(out), 0);
        assert_int_equal(chmod(path, 0600), 0);
    }
}

static void remove_folder(struct plumb_arena *a, const char *folder)
{
    struct case_names names = case_list(a, folder);

    for (size_t i = 0; i < names.count; i++) {
        const char *path = plumb_arena_printf(a, "%s/%s", folder, names.items[i]);

        if (case_is_folder(path))
            remove_folder(a, path);
        else
            assert_int_equal(remove(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* The row of the longest code that begins the rule's. */
static const struct example_context *context_of(const char *code)
{
    static const struct example_context none = {0};

    const struct example_context *best = &none;

    for (size_t i = 0; i < PLUMB_COUNT(contexts); i++) {
        if (plumb_starts_with(code, contexts[i].code) &&
            (best->code == NULL || strlen(contexts[i].code) > strlen(best->code)))
            best = &contexts[i];
    }
    return best;
}

static const char *default_file(const struct example_context *x, const char *code, const char *text)
{
    if (x->file != NULL)
        return x->file;
    for (size_t i = 0; i < PLUMB_COUNT(families); i++) {
        if (plumb_starts_with(code, families[i].prefix))
            return families[i].file;
    }
    for (size_t i = 0; i < PLUMB_COUNT(file_keys); i++) {
        if (plumb_starts_with(text, file_keys[i].begins))
            return file_keys[i].file;
    }
    return "slurm.conf";
}

/* The word behind an option of a line "# plumb check ..."; NULL: there is none. */
static const char *option(struct plumb_arena *a, const char *text, const char *name)
{
    const char *line = strstr(text, "# plumb check "), *at = NULL;

    if (line == NULL)
        return NULL;
    line = plumb_arena_strndup(a, line, strcspn(line, "\n"));
    at = strstr(line, name);
    if (at == NULL)
        return NULL;
    at += strlen(name) + 1;
    return plumb_arena_strndup(a, at, strcspn(at, " "));
}

/* "# live/NAME" begins what the running cluster says. */
static bool is_live(const struct files *f)
{
    for (size_t i = 0; i < f->count; i++) {
        if (plumb_starts_with(f->items[i].name, "live/"))
            return true;
    }
    return false;
}

/*
 * Adds the job scripts of the folder, and all else: as a folder; with --as, the first file alone;
 * the files that "# plumb check slurm.conf ..." names one by one.
 */
static void add_inputs(plumb_handle *h, const struct files *f, const char *code, const char *text)
{
    bool first = option(f->arena, text, "--as") != NULL;
    bool each = option(f->arena, text, "check slurm.conf") != NULL, others = false, good = true;

    for (size_t i = 0; i < f->count; i++) {
        const char *name = f->items[i].name;
        bool other = !plumb_ends_with(name, ".sbatch") && strcmp(name, "table.yaml") != 0;

        others = others || other;
        if (other && (each || (first && i == 0)))
            good =
                good && plumb_add_path(h, plumb_arena_printf(f->arena, "%s/%s", f->folder, name));
    }
    if (others && !each && !first)
        good = plumb_add_path(h, f->folder);
    if (is_live(f))
        good = good && plumb_add_live(h, plumb_arena_printf(f->arena, "%s/live", f->folder));
    if (!good)
        fail_msg("%s: %s", code, plumb_problem(h));
    case_add_jobs(h, f->folder);
}

/* Copies the captures of a case to those of node g, except files that the example has. */
static void copy_captures(struct files *f, const char *folder)
{
    const char *from = plumb_arena_printf(f->arena, PLUMB_SOURCE_DIR "/testdata/rules/%s", folder);
    struct case_names names = case_list(f->arena, from);

    assert_true(names.count > 0);
    for (size_t i = 0; i < names.count; i++) {
        const char *name = plumb_arena_printf(f->arena, "captures/g/%s", names.items[i]);
        const char *path = plumb_arena_printf(f->arena, "%s/%s", from, names.items[i]);

        if (file_find(f, name) == NULL)
            plumb_buf_str(file_of(f, name), case_text(f->arena, path));
    }
}

/* A line "# chmod 644 NAME" gives a file that mode. */
static void change_modes(const struct files *f, const char *text)
{
    uint64_t digits = 0;
    const char *name = NULL;

    if (!plumb_starts_with(text, "# chmod "))
        return;
    text += strlen("# chmod ");
    assert_true(plumb_read_digits(text, 3, &digits));
    name = plumb_arena_strndup(f->arena, text + 4, strcspn(text + 4, "\n"));
    assert_int_equal(
        chmod(plumb_arena_printf(f->arena, "%s/%s", f->folder, name), digits == 644 ? 0644 : 0600),
        0);
}

/* A specification, a table, and a file for NCCL need no slurm.conf. */
static bool takes_conf(const struct files *f)
{
    for (size_t i = 0; i < f->count; i++) {
        const char *name = f->items[i].name;

        if (plumb_ends_with(name, ".conf") || strchr(name, '/') != NULL)
            return true;
        if (strcmp(name, "cluster.yaml") == 0 || strcmp(name, "table.yaml") == 0)
            return false;
    }
    return !plumb_ends_with(f->items[0].name, ".xml") &&
           !plumb_ends_with(f->items[0].name, ".sbatch");
}

static void example_files(struct files *f, const struct plumb_rule *rule, const char *text)
{
    const struct example_context *x = context_of(rule->code);
    const char *file = default_file(x, rule->code, text);
    bool spec = strcmp(file, "cluster.yaml") == 0 && strncmp(text, "# ", 2) != 0;

    if (spec && !x->whole)
        add_files(f, file, whole_spec(f->arena, rule->code, text), true);
    else
        add_files(f, file, text, x->whole);
    add_copies(f);
    if (x->beside != NULL && option(f->arena, text, "--as") == NULL)
        add_beside(f, x->beside);
    if (x->captures != NULL)
        copy_captures(f, x->captures);
    if (!x->whole && takes_conf(f) && option(f->arena, text, "--as") == NULL)
        put_before(f, base_lines);
    write_files(f);
    change_modes(f, text);
}

/* What a run over an example of a rule reports. */
struct outcome {
    bool fired;        /* the rule */
    const char *error; /* the first error of another rule; NULL: none */
    const char *other; /* of an audit: the first finding of another rule; NULL: none */
    const char *seen;  /* of an audit: its message and where it was seen */
};

/* Captures of several machines are a fleet. */
static bool is_audit(const struct plumb_rule *rule)
{
    return plumb_starts_with(rule->code, "FLEET");
}

/* "gpu2: 1 GPU, the norm has 2 | gpu2/nvidia-smi-L.txt:1 | gpu1/nvidia-smi-L.txt:1" */
static const char *told(struct plumb_arena *a, const plumb_handle *h, const struct plumb_diag *d)
{
    for (size_t i = 0; i < h->audit->finding_count; i++) {
        const struct plumb_audit_finding *f = &h->audit->findings[i];

        if (f->diag == d)
            return plumb_arena_printf(a, "%s | %s | %s", d->message, f->seen == NULL ? "" : f->seen,
                                      f->norm == NULL ? "" : f->norm);
    }
    return plumb_arena_printf(a, "%s", d->message); /* the handle is closed before it is read */
}

static struct outcome outcome_of(struct plumb_arena *a, const plumb_handle *h,
                                 const struct plumb_rule *rule)
{
    struct outcome out = {0};

    for (size_t i = 0; i < h->shown_count; i++) {
        const struct plumb_diag *d = h->shown[i];
        bool own = strcmp(d->rule->code, rule->code) == 0;
        const char *text = plumb_arena_printf(a, "%s: %s", d->rule->code, d->message);

        out.fired = out.fired || own;
        if (d->severity == PLUMB_ERROR && out.error == NULL)
            out.error = text;
        if (!own && is_audit(rule) && plumb_starts_with(d->rule->code, "FLEET"))
            out.other = text;
        if (own && is_audit(rule))
            out.seen = told(a, h, d);
    }
    return out;
}

static struct outcome run_example(struct plumb_arena *a, const struct plumb_rule *rule,
                                  const char *text)
{
    char folder[] = "/tmp/plumb-example-XXXXXX";
    struct files f = {.arena = a, .folder = folder};
    const char *release = option(a, text, "--slurm");
    struct plumb_options options = {
        .slurm = release == NULL ? context_of(rule->code)->release : release,
        .from = option(a, text, "--from"),
        .as = option(a, text, "--as"),
        .user = context_of(rule->code)->user,
        .only_jobs = option(a, text, "--cluster") != NULL,
        .today = "2027-01-31",
        .reference_dir = PLUMB_SOURCE_DIR "/topologies",
        .outputs = plumb_starts_with(rule->code, "GEN"),
        .directory = is_audit(rule) ? folder : NULL,
    };
    struct outcome out = {0};
    plumb_handle *h = NULL;

    assert_non_null(mkdtemp(folder));
    example_files(&f, rule, text);
    options.drift = is_live(&f);
    if (file_find(&f, "table.yaml") != NULL)
        options.table = plumb_arena_printf(a, "%s/table.yaml", folder);
    h = plumb_open(&options);
    assert_non_null(h);
    if (is_audit(rule)) {
        assert_true(plumb_fleet_add(h, ".", false));
        plumb_fleet_run(h, 1);
        plumb_report_collect(h);
    } else {
        add_inputs(h, &f, rule->code, text);
        (void)plumb_run_all(h, "error");
    }
    out = outcome_of(a, h, rule);
    plumb_close(h);
    remove_folder(a, folder);
    return out;
}

/* An audit finds this alone, at this place: exactly what stands in rule_examples.h. */
static size_t check_audit(const struct plumb_rule *rule, const struct outcome *out)
{
    const char *expected = "";

    if (!is_audit(rule))
        return 0;
    for (size_t i = 0; i < PLUMB_COUNT(fleet_findings); i++) {
        if (strcmp(fleet_findings[i].code, rule->code) == 0)
            expected = fleet_findings[i].finding;
    }
    if (out->other == NULL && out->seen != NULL && strcmp(out->seen, expected) == 0)
        return 0;
    print_error("%s: the bad example has\n  %s\n  %s\nexpected\n  %s\n", rule->code,
                out->seen == NULL ? "nothing" : out->seen, out->other == NULL ? "" : out->other,
                expected);
    return 1;
}

static bool excepted(const char *code)
{
    for (size_t i = 0; i < PLUMB_COUNT(no_example); i++) {
        if (plumb_starts_with(code, no_example[i].code))
            return true;
    }
    return false;
}

static size_t check_rule(const struct plumb_rule *rule)
{
    struct plumb_arena *a = plumb_arena_new(NULL);
    struct outcome out = {0};
    size_t wrong = 0;

    out = run_example(a, rule, rule->bad);
    if (!out.fired) {
        print_error("%s does not fire on its bad example%s%s:\n%s\n", rule->code,
                    out.error == NULL ? "" : ", but ", out.error == NULL ? "" : out.error,
                    rule->bad);
        wrong++;
    }
    wrong += check_audit(rule, &out);
    out = run_example(a, rule, rule->good);
    if (out.fired || out.other != NULL || (out.error != NULL && !context_of(rule->code)->stays)) {
        print_error("%s: the good example has %s:\n%s\n", rule->code,
                    out.error != NULL   ? out.error
                    : out.other != NULL ? out.other
                                        : rule->code,
                    rule->good);
        wrong++;
    }
    plumb_arena_free(a);
    return wrong;
}

static void every_rule_has_examples_that_hold(void **state)
{
    const char *only = getenv("PLUMB_CASES"); /* a prefix of codes, for people */
    size_t wrong = 0, examples = 0;

    (void)state;
    for (size_t f = 0; f < plumb_rule_family_count; f++) {
        for (size_t i = 0; i < plumb_rule_families[f]->count; i++) {
            const struct plumb_rule *rule = &plumb_rule_families[f]->rules[i];
            bool has = rule->bad != NULL && rule->good != NULL;

            if (only != NULL && !plumb_starts_with(rule->code, only))
                continue;
            if (has == excepted(rule->code)) {
                print_error("%s: %s\n", rule->code,
                            has ? "is excepted, and has examples" : "lacks examples");
                wrong++;
            }
            if (!has || excepted(rule->code))
                continue;
            examples++;
            wrong += check_rule(rule);
        }
    }
    print_message("%zu rules, %zu of the examples do not hold\n", examples, wrong);
    assert_true(examples > 0);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_has_examples_that_hold),
    };

    return cmocka_run_group_tests_name("rules/examples", tests, NULL, NULL);
}
