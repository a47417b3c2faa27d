/* SPDX-License-Identifier: Apache-2.0 */
/* What the reader of job scripts and of their options can report. */
#include "job/job.h"

const struct plumb_rule plumb_job_script_rows[] = {
    [PLUMB_JOB_INTERPRETER] =
        {
            .code = "JOB050",
            .name = "script-interpreter",
            .severity = PLUMB_ERROR,
            .summary = "a job script names no interpreter in its first line",
            .why = "sbatch takes it for something else than a script and sends nothing.",
            .ref = "sbatch(1), DESCRIPTION; sbatch/sbatch.c:_get_script_buffer",
            .bad = "#SBATCH --ntasks=1",
            .good = "#!/bin/bash\n#SBATCH --ntasks=1",
        },
    [PLUMB_JOB_LINE_ENDS] =
        {
            .code = "JOB051",
            .name = "script-line-ends",
            .severity = PLUMB_ERROR,
            .summary = "a job script has the line ends of DOS",
            .why = "The interpreter would look for a file whose name ends in a carriage return, so "
                   "sbatch refuses.",
            .ref = "sbatch/sbatch.c:_get_script_buffer",
        },
    [PLUMB_JOB_UNKNOWN_OPTION] =
        {
            .code = "JOB052",
            .name = "job-option",
            .severity = PLUMB_ERROR,
            .summary = "an option that the command of this release does not know",
            .why = "The command prints its usage and ends; nothing is submitted.",
            .ref = "sbatch(1), OPTIONS; common/slurm_opt.c:slurm_process_option",
            .bad = "#SBATCH --gpu=2",
            .good = "#SBATCH --gpus=2",
        },
    [PLUMB_JOB_ARGUMENT] =
        {
            .code = "JOB053",
            .name = "job-option-argument",
            .severity = PLUMB_ERROR,
            .summary = "an option lacks its value, or has one that it does not take",
            .why = "The command prints its usage and ends; nothing is submitted.",
            .ref = "sbatch(1), OPTIONS",
            .bad = "#SBATCH --hold=yes",
            .good = "#SBATCH --hold",
        },
    [PLUMB_JOB_STRAY_WORD] =
        {
            .code = "JOB054",
            .name = "directive-word",
            .severity = PLUMB_ERROR,
            .summary = "a word of a directive is no option",
            .why = "sbatch reads options until the first word that is none, and refuses when "
                   "something is left.",
            .ref = "sbatch/opt.c:_opt_batch_script",
            .bad = "#SBATCH --exclusive user",
            .good = "#SBATCH --exclusive=user",
        },
    [PLUMB_JOB_LATE] =
        {
            .code = "JOB055",
            .name = "directive-late",
            .severity = PLUMB_WARNING,
            .summary = "a directive stands behind the first command of the script",
            .why = "sbatch stops looking at the first line that is no comment; to the shell the "
                   "directive is a comment.",
            .ref = "sbatch(1), DESCRIPTION; sbatch/opt.c:_opt_batch_script",
            .bad = "module load cuda\n#SBATCH --gpus=2",
            .good = "#SBATCH --gpus=2\nmodule load cuda",
        },
    [PLUMB_JOB_QUOTE] =
        {
            .code = "JOB056",
            .name = "directive-quote",
            .severity = PLUMB_ERROR,
            .summary = "a quote of a directive is not closed",
            .why = "A directive ends with its line.",
            .ref = "sbatch/opt.c:get_argument",
            .bad = "#SBATCH --comment=\"first try",
            .good = "#SBATCH --comment=\"first try\"",
        },
    [PLUMB_JOB_VALUE] =
        {
            .code = "JOB057",
            .name = "job-option-value",
            .severity = PLUMB_ERROR,
            .summary = "the value of an option cannot be read",
            .why = "The command, or slurmctld, refuses the job.",
            .ref = "sbatch(1), OPTIONS; common/slurm_opt.c",
            .bad = "#SBATCH --time=1.5",
            .good = "#SBATCH --time=1:30:00",
        },
    [PLUMB_JOB_PAIR] =
        {
            .code = "JOB058",
            .name = "job-options-together",
            .severity = PLUMB_ERROR,
            .summary = "options exclude each other, or one lacks another that it needs",
            .why = "The command refuses before slurmctld is asked.",
            .ref = "sbatch(1), OPTIONS; common/slurm_opt.c:validate_options_salloc_sbatch_srun, "
                   "interfaces/gres.c:gres_job_state_validate",
            .bad = "#SBATCH --mem=8G\n#SBATCH --mem-per-cpu=2G",
            .good = "#SBATCH --mem=8G",
        },
    [PLUMB_JOB_NEARLY] =
        {
            .code = "JOB059",
            .name = "directive-misspelt",
            .severity = PLUMB_WARNING,
            .summary = "a comment looks like a directive, and is none",
            .why =
                "sbatch reads lines that begin with '#SBATCH' alone: no blank in front or behind "
                "the '#', capital letters. To take a directive out, write '##SBATCH'.",
            .ref = "sbatch(1), DESCRIPTION; sbatch/opt.c:_opt_batch_script",
            .bad = "#SBTACH --gpus=2",
            .good = "#SBATCH --gpus=2",
        },
    [PLUMB_JOB_VARIABLE] =
        {
            .code = "JOB098",
            .name = "script-variable",
            .severity = PLUMB_WARNING,
            .summary = "a script sets a variable that no command behind it reads",
            .why = "sbatch has read its variables before the script runs, and srun reads those of "
                   "its release.",
            .ref = "sbatch(1), INPUT ENVIRONMENT VARIABLES; sbatch/opt.c, srun/opt.c: env_vars",
            .bad = "#SBATCH --ntasks=1\n"
                   "export SBATCH_PARTITION=batch",
            .good = "#SBATCH --ntasks=1 --partition=batch",
        },
    [PLUMB_JOB_NUL] =
        {
            .code = "JOB110",
            .name = "script-nul",
            .severity = PLUMB_ERROR,
            .summary = "a job script holds a NUL byte",
            .why = "A script travels to slurmctld as a string, which would end there, so sbatch "
                   "refuses.",
            .ref = "sbatch/sbatch.c:_get_script_buffer",
        },
    [PLUMB_JOB_LENGTH] =
        {
            .code = "JOB111",
            .name = "job-option-length",
            .severity = PLUMB_ERROR,
            .summary = "the value of an option is longer than slurmctld takes",
            .why = "Names and lists may have 1024 bytes, paths and arrays 4096, dependencies "
                   "131072.",
            .ref = "slurmctld/job_mgr.c:_test_job_desc_fields",
        },
    [PLUMB_JOB_OLD_NAME] =
        {
            .code = "JOB112",
            .name = "directive-old-name",
            .severity = PLUMB_WARNING,
            .summary = "a directive begins with '#SLURM'",
            .why = "sbatch takes any line above the first command that begins so for a directive, "
                   "and prints an error; a comment such as '#SLURM script' makes it refuse.",
            .ref = "sbatch/opt.c:_opt_batch_script",
            .bad = "#SLURM --ntasks=1",
            .good = "#SBATCH --ntasks=1",
        },
    [PLUMB_JOB_FOREIGN] =
        {
            .code = "JOB113",
            .name = "directive-foreign",
            .severity = PLUMB_WARNING,
            .summary = "a script for sbatch has directives of PBS or LSF too",
            .why =
                "sbatch reads '#BSUB', else '#PBS', anywhere among the first lines, and what they "
                "say counts more than '#SBATCH'. plumb does not read them, and says nothing "
                "about what such a job asks for.",
            .ref = "sbatch(1), --ignore-pbs; sbatch/xlate.c:xlate_batch_script",
            .bad = "#SBATCH --nodes=1\n#PBS -l nodes=2",
            .good = "#SBATCH --nodes=1",
        },
};
_Static_assert(PLUMB_COUNT(plumb_job_script_rows) == PLUMB_JOB_FAULT_COUNT, "one row per fault");

const struct plumb_rule_family plumb_job_script_rules = {
    .prefix = "JOB",
    .title = "Job scripts: directives and options",
    .rules = plumb_job_script_rows,
    .count = PLUMB_COUNT(plumb_job_script_rows),
};
