/* SPDX-License-Identifier: Apache-2.0 */
/* Rows CONF030 to CONF059: what the reader of Slurm key=value files reports. */
#include "conf/syntax_rules.h"

#include "base/limits.h"
#include "conf/check.h"

#define PARSE_FILE "parse_config.c:s_p_parse_file"
#define KEY_VALUE  "parse_config.c:_keyvalue_regex"
#define INCLUDE    "parse_config.c:_parse_include_directive"
#define NEXT_LINE  "parse_config.c:_get_next_line"

const struct plumb_rule plumb_conf_syntax_rows[PLUMB_CONF_FAULT_COUNT] = {
    [PLUMB_CONF_NOT_A_PAIR] =
        {
            .code = "CONF030",
            .name = "not-a-pair",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a line is neither key=value nor an Include",
            .why = "The daemon logs a parse error for the line, reads on, and does not start.",
            .ref = PARSE_FILE,
            .bad = "Put the settings of this site here\n",
            .good = "# Put the settings of this site here\n",
        },
    [PLUMB_CONF_NO_VALUE] =
        {
            .code = "CONF031",
            .name = "no-value",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "nothing stands behind the '=' of a key",
            .why = "An empty value must be written as \"\"; a bare '=' at the end of a line is a "
                   "parse "
                   "error, and the daemon does not start.",
            .ref = KEY_VALUE,
            .bad = "SuspendExcNodes=\n",
            .good = "SuspendExcNodes=\"\"\n",
        },
    [PLUMB_CONF_LEFT_OVER] =
        {
            .code = "CONF032",
            .name = "text-left-over",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "text is left over behind a value",
            .why = "A line holds one key=value, or one record with its own key=value pairs. "
                   "Whatever is "
                   "left over is a parse error, and the daemon does not start.",
            .ref = PARSE_FILE,
            .bad = "ReturnToService=1 SlurmctldTimeout=120\n",
            .good = "ReturnToService=1\nSlurmctldTimeout=120\n",
        },
    [PLUMB_CONF_OPEN_QUOTE] =
        {
            .code = "CONF033",
            .name = "quote-not-closed",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a value begins with a quote that is not closed on its line",
            .why = "The value then ends at the first blank, with the quote as part of it, and the "
                   "rest is "
                   "a parse error. A '#' ends the line even inside quotes.",
            .ref = KEY_VALUE,
            .bad = "NodeName=n1 Reason=\"no power\n",
            .good = "NodeName=n1 Reason=\"no power\"\n",
        },
    [PLUMB_CONF_LITERAL_QUOTE] =
        {
            .code = "CONF034",
            .name = "quote-in-value",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_NONE,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a quote becomes part of a value",
            .why = "Quotes are taken off only when the value begins with one and the other is its "
                   "last "
                   "character; any other quote is kept in the value.",
            .ref = KEY_VALUE,
            .bad = "Epilog=/etc/slurm/\"epilog\"\n",
            .good = "Epilog=/etc/slurm/epilog\n",
        },
    [PLUMB_CONF_BEHIND_QUOTE] =
        {
            .code = "CONF035",
            .name = "text-behind-quote",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "text follows a closing quote without a blank",
            .why = "The quotes then do not count: the value ends at the first blank inside them, "
                   "and the "
                   "rest is a parse error.",
            .ref = KEY_VALUE,
            .bad = "NodeName=n1 Reason=\"no power\"State=DOWN\n",
            .good = "NodeName=n1 Reason=\"no power\" State=DOWN\n",
        },
    [PLUMB_CONF_SWALLOWED_PAIR] =
        {
            .code = "CONF036",
            .name = "next-key-as-value",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_NONE,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a key without a value takes the next key=value as its value",
            .why = "Blanks behind '=' are skipped, so the next word is the value, and the key in "
                   "it is "
                   "never set.",
            .ref = KEY_VALUE,
            .bad = "NodeName=n1 Feature= Weight=10\n",
            .good = "NodeName=n1 Feature=\"\" Weight=10\n",
        },
    [PLUMB_CONF_OPERATOR] =
        {
            .code = "CONF037",
            .name = "operator-without-effect",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_NONE,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "an operator such as '+=' acts as '='",
            .why = "The parser stores the operator and no reader of these files asks for it: the "
                   "value "
                   "replaces what was set before.",
            .ref = KEY_VALUE,
            .bad = "DebugFlags=Gres\nDebugFlags+=Steps\n",
            .good = "DebugFlags=Gres,Steps\n",
        },
    [PLUMB_CONF_BYTE_ORDER_MARK] =
        {
            .code = "CONF038",
            .name = "byte-order-mark",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "the file begins with a byte order mark",
            .why = "The mark is no blank to the parser: line 1 is a parse error, even when it is a "
                   "comment, and the daemon does not start.",
            .ref = PARSE_FILE,
        },
    [PLUMB_CONF_NUL_BYTE] =
        {
            .code = "CONF039",
            .name = "nul-byte",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_IGNORED,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a NUL byte ends a line",
            .why = "The parser reads lines as C strings: what follows the NUL byte on its line is "
                   "dropped "
                   "without a word.",
            .ref = NEXT_LINE,
        },
    [PLUMB_CONF_INCLUDE_MISSING] =
        {
            .code = "CONF040",
            .name = "include-missing",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "an included file cannot be read",
            .why = "The daemon, and every client command, tries again each second for 60 seconds "
                   "and then "
                   "gives up. Relative names are looked for beside slurm.conf.",
            .ref = PARSE_FILE,
            .bad = "Include nodes.conf   # which is not there\n",
            .good = "Include nodes.conf\n# nodes.conf\nNodeName=n1 CPUs=8\n",
        },
    [PLUMB_CONF_INCLUDE_INDENTED] =
        {
            .code = "CONF041",
            .name = "include-indented",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "an Include does not begin its line",
            .why = "Include is recognised at the first column only; behind a blank it is a parse "
                   "error, "
                   "and the daemon does not start.",
            .ref = INCLUDE,
            .bad = "  Include nodes.conf\n",
            .good = "Include nodes.conf\n",
        },
    [PLUMB_CONF_INCLUDE_PATTERN] =
        {
            .code = "CONF042",
            .name = "include-pattern",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "an Include names files by a pattern",
            .why = "Include takes one file name and knows no wildcards: up to 23.02 the pattern is "
                   "taken "
                   "as the name of a missing file, from 23.11 it is refused.",
            .ref = INCLUDE,
            .bad = "Include conf.d/*.conf\n",
            .good = "Include conf.d/nodes.conf\nInclude conf.d/partitions.conf\n",
        },
    [PLUMB_CONF_INCLUDE_CLUSTER] =
        {
            .code = "CONF043",
            .name = "include-before-cluster-name",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "an Include uses %c before ClusterName is set",
            .why =
                "%c stands for the ClusterName read so far; without one the Include fails, and the "
                "daemon does not start.",
            .ref = "parse_config.c:_parse_for_format",
            .bad = "Include %c.conf\nClusterName=alpha\n",
            .good = "ClusterName=alpha\nInclude %c.conf\n",
        },
    [PLUMB_CONF_INCLUDE_LOOP] =
        {
            .code = "CONF044",
            .name = "include-loop",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a file includes itself",
            .why = "Slurm does not notice: it opens the file again and again until it has no more "
                   "file "
                   "descriptors or no more stack.",
            .ref = PARSE_FILE,
            .bad = "Include slurm.conf   # in slurm.conf\n",
            .good = "Include nodes.conf\n# nodes.conf\nNodeName=n1 CPUs=8\n",
        },
    [PLUMB_CONF_INCLUDE_LIMIT] =
        {
            .code = "CONF045",
            .name = "include-limit",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_NONE,
            .summary = "more Include directives than plumb follows",
            .why = "plumb follows 256 Include directives, 32 deep. Slurm has no limit; what was "
                   "left out "
                   "was not checked.",
            .ref = PARSE_FILE,
        },
    [PLUMB_CONF_INCLUDE_LEFT_OVER] =
        {
            .code = "CONF046",
            .name = "text-behind-include",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "text follows the file name of an Include",
            .why =
                "Include takes one file name without blanks or quotes; what follows it is a parse "
                "error, and the daemon does not start.",
            .ref = PARSE_FILE,
            .bad = "Include nodes.conf partitions.conf\n",
            .good = "Include nodes.conf\nInclude partitions.conf\n",
        },
    [PLUMB_CONF_INCLUDE_MODE] =
        {
            .code = "CONF047",
            .name = "include-mode",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURMDBD,
            .summary = "a file that slurmdbd.conf includes has a mode other than 0600",
            .why = "slurmdbd refuses to start, because the file may hold the password of the "
                   "database.",
            .ref = INCLUDE,
            .bad = "# chmod 644 db-password.conf\n"
                   "# slurmdbd.conf\n"
                   "DbdHost=db-01\n"
                   "StorageType=accounting_storage/mysql\n"
                   "Include db-password.conf\n"
                   "# db-password.conf\n"
                   "StoragePass=secret",
            .good = "# chmod 600 db-password.conf\n"
                    "# slurmdbd.conf\n"
                    "DbdHost=db-01\n"
                    "StorageType=accounting_storage/mysql\n"
                    "Include db-password.conf\n"
                    "# db-password.conf\n"
                    "StoragePass=secret",
        },
    [PLUMB_CONF_INCLUDE_NOT_FOLLOWED] =
        {
            .code = "CONF048",
            .name = "include-not-followed",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_NONE,
            .summary = "an Include was not followed",
            .why =
                "Text that does not come from a file has no folder beside which the included file "
                "could lie; what it holds was not checked.",
            .ref = INCLUDE,
        },
    [PLUMB_CONF_INCLUDE_SIGN] =
        {
            .code = "CONF049",
            .name = "include-form",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_STOPS,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "an Include is not 'Include', a blank, and a file name",
            .why = "Include takes no '='. 'Include=x' is an unknown key, and 'Include = x' asks "
                   "for a file "
                   "of the name '='; the daemon does not start.",
            .ref = INCLUDE,
            .bad = "Include=nodes.conf\n",
            .good = "Include nodes.conf\n",
        },
    [PLUMB_CONF_BACKSLASH_DROPPED] =
        {
            .code = "CONF050",
            .name = "backslash-dropped",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_NONE,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a backslash is taken out of a line",
            .why = "Every backslash is removed and the character behind it kept; only \\# and \\\\ "
                   "have a "
                   "use. A quote or blank is not protected by one.",
            .ref = "parse_config.c:_strip_escapes",
            .bad = "NodeName=n1 Reason=\\\"moved\\\"\n",
            .good = "NodeName=n1 Reason=moved\n",
        },
    [PLUMB_CONF_COMMENT_CUTS_VALUE] =
        {
            .code = "CONF051",
            .name = "comment-cuts-value",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_NONE,
            .daemons = PLUMB_SLURM_ALL,
            .summary = "a value ends at a '#' that touches it",
            .why =
                "A '#' begins a comment wherever it stands, without a blank before it and inside "
                "quotes too; \\# keeps it as text.",
            .ref = "parse_config.c:_strip_comments",
            .bad = "# slurmdbd.conf\n"
                   "DbdHost=db-01\n"
                   "StorageType=accounting_storage/mysql\n"
                   "StoragePass=ab#cd",
            .good = "# slurmdbd.conf\n"
                    "DbdHost=db-01\n"
                    "StorageType=accounting_storage/mysql\n"
                    "StoragePass=ab\\#cd",
        },
    [PLUMB_CONF_SECOND_FILE] =
        {
            .code = "CONF052",
            .name = "file-not-used",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_NONE,
            .summary = "a file of the set is neither read by name nor included",
            .why = "A daemon reads one file of each kind, and what it includes. What stands in "
                   "another "
                   "one has no effect.",
            .ref = "slurm.conf(5), INCLUDE",
            .bad = "# plumb check slurm.conf nodes.conf\n"
                   "# slurm.conf\n"
                   "SlurmctldTimeout=120\n"
                   "# nodes.conf\n"
                   "NodeName=n[1-2] CPUs=8",
            .good = "# plumb check slurm.conf nodes.conf\n"
                    "# slurm.conf\n"
                    "SlurmctldTimeout=120\n"
                    "Include nodes.conf\n"
                    "# nodes.conf\n"
                    "NodeName=n[1-2] CPUs=8",
        },
    [PLUMB_CONF_PLUGSTACK] =
        {
            .code = "CONF053",
            .name = "plugstack-no-rule",
            .severity = PLUMB_ERROR,
            .effect = PLUMB_EFFECT_COMPLAINS,
            .daemons = PLUMB_SLURMD,
            .summary = "a line of plugstack.conf is no rule",
            .why = "The line is left out with an error, so the options of its plugin are unknown "
                   "to srun and sbatch.",
            .ref = "spank(7), CONFIGURATION; spank.c:_plugin_stack_parse_line",
            .bad = "mandatory /usr/lib/slurm/spank_pyxis.so\n",
            .good = "required /usr/lib/slurm/spank_pyxis.so\n",
        },
    [PLUMB_CONF_PLUGSTACK_MISSING] =
        {
            .code = "CONF054",
            .name = "plugstack-include-missing",
            .severity = PLUMB_WARNING,
            .effect = PLUMB_EFFECT_IGNORED,
            .daemons = PLUMB_SLURMD,
            .summary = "plugstack.conf includes a file that is not there",
            .why = "Nothing says so: the plugins of that file are not loaded, and their options "
                   "are unknown.",
            .ref = "spank(7), CONFIGURATION; spank.c:_spank_conf_include",
            .bad = "include plugstack.conf.d/pyxis.cnf\n",
            .good = "include plugstack.conf.d/*.conf\n",
        },
};

const struct plumb_rule_family plumb_conf_syntax_rules = {
    .prefix = "CONF",
    .title = "Slurm files: syntax",
    .rules = plumb_conf_syntax_rows,
    .count = PLUMB_CONF_FAULT_COUNT,
};

/* What a parse error in a file does to the daemons that read it. */
static enum plumb_effect effect_in(enum plumb_file file)
{
    switch (file) {
    case PLUMB_MPI_CONF:
        return PLUMB_EFFECT_IGNORED; /* interfaces/mpi.c: a debug line */
    case PLUMB_OCI_CONF:
        return PLUMB_EFFECT_COMPLAINS; /* oci_config.c:get_oci_conf */
    default:
        return PLUMB_EFFECT_STOPS;
    }
}

struct plumb_diag *plumb_conf_vfault(struct plumb_sink *sink, enum plumb_conf_fault fault,
                                     enum plumb_file file, struct plumb_span at, const char *fmt,
                                     va_list args)
{
    const struct plumb_rule *row = &plumb_conf_syntax_rows[fault];
    struct plumb_conf_check ck = {.sink = sink, .release = sink->release, .file = file};
    enum plumb_effect effect = row->effect == PLUMB_EFFECT_STOPS ? effect_in(file) : row->effect;
    unsigned daemons = row->daemons == 0 ? 0 : plumb_file_daemons(file);
    struct plumb_diag *d = NULL;

    if (sink->count >= PLUMB_MAX_FINDINGS) /* counted; nobody reads it */
        return plumb_diag_new(sink, row, at, "%s", "");
    d = plumb_diag_new(sink, row, at, "%s", plumb_arena_vprintf(sink->arena, fmt, args));
    plumb_conf_does(&ck, d, effect, daemons);
    plumb_diag_effect(d, effect, daemons);
    if (effect == PLUMB_EFFECT_STOPS)
        plumb_conf_logged(&ck, d);
    plumb_diag_severity(d, effect >= PLUMB_EFFECT_DRAINS ? PLUMB_ERROR : PLUMB_WARNING);
    return d;
}

struct plumb_diag *plumb_conf_fault(struct plumb_sink *sink, enum plumb_conf_fault fault,
                                    enum plumb_file file, struct plumb_span at, const char *fmt,
                                    ...)
{
    struct plumb_diag *d = NULL;
    va_list args;

    va_start(args, fmt);
    d = plumb_conf_vfault(sink, fault, file, at, fmt, args);
    va_end(args);
    return d;
}
