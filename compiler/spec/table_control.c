/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the sections about daemons: control, login, database, timeouts, ignore. */
#include "spec/table.h"

static const struct plumb_spec_word auth_words[] = {
    {.name = "munge", .slurm = "munge"},
    {.name = "slurm", .slurm = "slurm"},
    {0},
};

static const struct plumb_spec_word return_words[] = {
    {.name = "never", .slurm = "0"},
    {.name = "not_responding", .slurm = "1"},
    {.name = "any", .slurm = "2"},
    {0},
};

static const struct plumb_spec_word log_words[] = {
    {.name = "quiet", .slurm = "quiet"},
    {.name = "fatal", .slurm = "fatal"},
    {.name = "error", .slurm = "error"},
    {.name = "info", .slurm = "info"},
    {.name = "verbose", .slurm = "verbose"},
    {.name = "debug", .slurm = "debug"},
    {.name = "debug2", .slurm = "debug2"},
    {.name = "debug3", .slurm = "debug3"},
    {.name = "debug4", .slurm = "debug4"},
    {.name = "debug5", .slurm = "debug5"},
    {0},
};

static const struct plumb_spec_key state_dir_keys[] = {
    {
        .name = "path",
        .kind = PLUMB_K_PATH,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_STATESAVELOCATION),
        .def = "/var/spool/slurmctld",
        .doc = "folder in which slurmctld keeps its state",
        .why = "Slurm's own default is /var/spool, which other programs share",
        .example = "/var/spool/slurm/state",
    },
    {
        .name = "shared",
        .kind = PLUMB_K_BOOL,
        .def = "false",
        .doc = "whether every controller host sees the same folder",
        .why = "a backup controller takes over only with the state of the primary",
        .example = "true",
    },
};

static const struct plumb_spec_table state_dir_table = {
    .title = "state_dir", .keys = state_dir_keys, .count = PLUMB_COUNT(state_dir_keys)};

static const struct plumb_spec_key port_keys[] = {
    {
        .name = "slurmctld",
        .kind = PLUMB_K_NUMBER,
        .min = 1,
        .max = 65535,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_SLURMCTLDPORT),
        .def = "6817",
        .doc = "port on which slurmctld listens",
    },
    {
        .name = "slurmd",
        .kind = PLUMB_K_NUMBER,
        .min = 1,
        .max = 65535,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_SLURMDPORT),
        .def = "6818",
        .doc = "port on which slurmd listens",
    },
};

static const struct plumb_spec_table port_table = {
    .title = "ports", .keys = port_keys, .count = PLUMB_COUNT(port_keys)};

static const struct plumb_spec_key log_keys[] = {
    {
        .name = "controller",
        .kind = PLUMB_K_PATH,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_SLURMCTLDLOGFILE),
        .doc = "log file of slurmctld; without it the log goes to syslog",
        .example = "/var/log/slurm/slurmctld.log",
    },
    {
        .name = "node",
        .kind = PLUMB_K_PATH,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_SLURMDLOGFILE),
        .doc = "log file of slurmd; without it the log goes to syslog",
        .example = "/var/log/slurm/slurmd.log",
    },
    {
        .name = "controller_level",
        .kind = PLUMB_K_WORD,
        .words = log_words,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_SLURMCTLDDEBUG),
        .doc = "how much slurmctld logs",
        .example = "verbose",
    },
    {
        .name = "node_level",
        .kind = PLUMB_K_WORD,
        .words = log_words,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_SLURMDDEBUG),
        .doc = "how much slurmd logs",
        .example = "verbose",
    },
};

static const struct plumb_spec_table log_table = {
    .title = "logs", .keys = log_keys, .count = PLUMB_COUNT(log_keys)};

static const struct plumb_spec_key control_keys[] = {
    {
        .name = "hosts",
        .kind = PLUMB_K_HOST,
        .list = true,
        .required = true,
        .doc = "machines that run slurmctld: the first is the primary, the rest are backups",
        .why = "name must be what the machine calls itself, or slurmctld ends there; address is "
               "where the others reach it",
        .example = "[{name: cp-01, address: 10.0.0.10}]",
    },
    {
        .name = "state_dir",
        .kind = PLUMB_K_MAP,
        .of = &state_dir_table,
        .shorthand = "path",
        .doc = "state of slurmctld",
    },
    {
        .name = "auth",
        .kind = PLUMB_K_WORD,
        .words = auth_words,
        .def = "munge",
        .doc = "how daemons and commands prove who they are; slurm exists from 23.11 on",
        .why = "munge works with every release; its key is the only secret that all nodes share",
    },
    {
        .name = "user",
        .kind = PLUMB_K_NAME,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_SLURMUSER),
        .also = PLUMB_SETS(PLUMB_P_DBD_SLURMUSER),
        .def = "slurm",
        .doc = "user that slurmctld and slurmdbd run as",
        .why = "Slurm's own default is root",
    },
    {
        .name = "ports",
        .kind = PLUMB_K_MAP,
        .of = &port_table,
        .doc = "ports of the daemons",
    },
    {
        .name = "spool_dir",
        .kind = PLUMB_K_PATH,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_SLURMDSPOOLDIR),
        .def = "/var/spool/slurmd",
        .doc = "folder of slurmd on each node; must be local to the node",
    },
    {
        .name = "return_to_service",
        .kind = PLUMB_K_WORD,
        .words = return_words,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_RETURNTOSERVICE),
        .def = "not_responding",
        .doc = "which DOWN nodes come back by themselves when they register",
        .why = "with never, a node stays DOWN after each network hiccup until somebody resumes it; "
               "with any, a node that rebooted unexpectedly comes back unseen",
    },
    {
        .name = "configless",
        .kind = PLUMB_K_BOOL,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_SLURMCTLDPARAMETERS),
        .item = "enable_configless",
        .def = "false",
        .doc = "slurmctld hands the configuration to the nodes",
        .why = "then no slurm.conf may lie in the default place on the nodes",
    },
    {
        .name = "logs",
        .kind = PLUMB_K_MAP,
        .of = &log_table,
        .doc = "log files and levels of slurmctld and slurmd",
    },
};

const struct plumb_spec_table plumb_spec_control = {
    .title = "control", .keys = control_keys, .count = PLUMB_COUNT(control_keys)};

static const struct plumb_spec_word identity_words[] = {
    {.name = "ldap"},
    {.name = "files"},
    {.name = "sssd"},
    {0},
};

static const struct plumb_spec_key identity_keys[] = {
    {
        .name = "type",
        .kind = PLUMB_K_WORD,
        .words = identity_words,
        .required = true,
        .doc = "where user names come from",
        .example = "ldap",
    },
    {
        .name = "host",
        .kind = PLUMB_K_TEXT,
        .doc = "host of the directory service",
        .example = "ldap.example.org",
    },
};

static const struct plumb_spec_table identity_table = {
    .title = "identity", .keys = identity_keys, .count = PLUMB_COUNT(identity_keys)};

static const struct plumb_spec_key login_keys[] = {
    {
        .name = "hosts",
        .kind = PLUMB_K_HOSTS,
        .required = true,
        .doc = "machines from which users submit",
        .example = "login-[01-02]",
    },
    {
        .name = "identity",
        .kind = PLUMB_K_MAP,
        .of = &identity_table,
        .by_flavor = true,
        .doc = "directory service of the login nodes",
    },
};

const struct plumb_spec_table plumb_spec_login = {
    .title = "login", .keys = login_keys, .count = PLUMB_COUNT(login_keys)};

static const struct plumb_spec_key storage_keys[] = {
    {
        .name = "host",
        .kind = PLUMB_K_NAME,
        .address = true,
        .sets = PLUMB_SETS(PLUMB_P_DBD_STORAGEHOST),
        .def = "localhost",
        .doc = "host of MariaDB or MySQL",
        .example = "10.0.0.13",
    },
    {
        .name = "port",
        .kind = PLUMB_K_NUMBER,
        .min = 1,
        .max = 65535,
        .sets = PLUMB_SETS(PLUMB_P_DBD_STORAGEPORT),
        .doc = "port of MariaDB or MySQL; Slurm takes 3306",
        .example = "3306",
    },
    {
        .name = "backup_host",
        .kind = PLUMB_K_NAME,
        .sets = PLUMB_SETS(PLUMB_P_DBD_STORAGEBACKUPHOST),
        .doc = "second database host",
        .example = "db-02",
    },
    {
        .name = "user",
        .kind = PLUMB_K_NAME,
        .sets = PLUMB_SETS(PLUMB_P_DBD_STORAGEUSER),
        .def = "slurm",
        .doc = "database user of slurmdbd",
        .why = "Slurm's own default is the login name, which is empty under systemd",
    },
    {
        .name = "name",
        .kind = PLUMB_K_NAME,
        .sets = PLUMB_SETS(PLUMB_P_DBD_STORAGELOC),
        .def = "slurm_acct_db",
        .doc = "name of the database",
    },
    {
        .name = "password",
        .kind = PLUMB_K_SECRET,
        .doc = "where the password is kept; it is never written to a generated file",
        .why = "slurmdbd reads StoragePass from slurmdbd.conf only, so whoever deploys the file "
               "adds that line from the secret; without it slurmdbd connects without a password",
        .example = "{secret: slurm-db, key: password}",
    },
    {
        .name = "password_script",
        .kind = PLUMB_K_PATH,
        .sets = PLUMB_SETS(PLUMB_P_DBD_STORAGEPASSSCRIPT),
        .doc = "program on the slurmdbd host that prints the password (from 25.11 on)",
        .example = "/etc/slurm/db-password",
    },
    {
        .name = "memory",
        .kind = PLUMB_K_SIZE,
        .later = true,
        .doc = "memory of the database host, from which its buffer pool is sized",
        .example = "64 GiB",
    },
};

static const struct plumb_spec_table storage_table = {
    .title = "storage", .keys = storage_keys, .count = PLUMB_COUNT(storage_keys)};

static const struct plumb_spec_word archive_words[] = {
    {.name = "events", .slurm = "yes", .sets = PLUMB_SETS(PLUMB_P_DBD_ARCHIVEEVENTS)},
    {.name = "job_envs", .slurm = "yes", .sets = PLUMB_SETS(PLUMB_P_DBD_ARCHIVEJOBENV)},
    {.name = "jobs", .slurm = "yes", .sets = PLUMB_SETS(PLUMB_P_DBD_ARCHIVEJOBS)},
    {.name = "job_scripts", .slurm = "yes", .sets = PLUMB_SETS(PLUMB_P_DBD_ARCHIVEJOBSCRIPT)},
    {.name = "reservations", .slurm = "yes", .sets = PLUMB_SETS(PLUMB_P_DBD_ARCHIVERESVS)},
    {.name = "steps", .slurm = "yes", .sets = PLUMB_SETS(PLUMB_P_DBD_ARCHIVESTEPS)},
    {.name = "suspensions", .slurm = "yes", .sets = PLUMB_SETS(PLUMB_P_DBD_ARCHIVESUSPEND)},
    {.name = "transactions", .slurm = "yes", .sets = PLUMB_SETS(PLUMB_P_DBD_ARCHIVETXN)},
    {.name = "usage", .slurm = "yes", .sets = PLUMB_SETS(PLUMB_P_DBD_ARCHIVEUSAGE)},
    {0},
};

#define PURGE(key, id, text)                                                                       \
    {                                                                                              \
        .name = (key), .kind = PLUMB_K_AGE, .sets = PLUMB_SETS(id),                                \
        .doc = "age after which " text " are deleted from the database", .example = "12 months"    \
    }

static const struct plumb_spec_key purge_keys[] = {
    PURGE("events", PLUMB_P_DBD_PURGEEVENTAFTER, "events"),
    PURGE("job_envs", PLUMB_P_DBD_PURGEJOBENVAFTER, "job environments (from 26.05 on)"),
    PURGE("jobs", PLUMB_P_DBD_PURGEJOBAFTER, "jobs"),
    PURGE("job_scripts", PLUMB_P_DBD_PURGEJOBSCRIPTAFTER, "job scripts (from 26.05 on)"),
    PURGE("reservations", PLUMB_P_DBD_PURGERESVAFTER, "reservations"),
    PURGE("steps", PLUMB_P_DBD_PURGESTEPAFTER, "job steps"),
    PURGE("suspensions", PLUMB_P_DBD_PURGESUSPENDAFTER, "suspensions"),
    PURGE("transactions", PLUMB_P_DBD_PURGETXNAFTER, "transactions"),
    PURGE("usage", PLUMB_P_DBD_PURGEUSAGEAFTER, "usage records"),
};

static const struct plumb_spec_table purge_table = {
    .title = "purge", .keys = purge_keys, .count = PLUMB_COUNT(purge_keys)};

static const struct plumb_spec_key database_keys[] = {
    {
        .name = "host",
        .kind = PLUMB_K_HOST,
        .required = true,
        .doc = "machine that runs slurmdbd",
        .why = "name becomes DbdHost, which must be what the machine calls itself; address becomes "
               "DbdAddr and AccountingStorageHost",
        .example = "{name: db-01, address: 10.0.0.12}",
    },
    {
        .name = "backup",
        .kind = PLUMB_K_HOST,
        .doc = "machine that runs the second slurmdbd",
        .example = "{name: db-02, address: 10.0.0.14}",
    },
    {
        .name = "port",
        .kind = PLUMB_K_NUMBER,
        .min = 1,
        .max = 65535,
        .sets = PLUMB_SETS(PLUMB_P_DBD_DBDPORT),
        .also = PLUMB_SETS(PLUMB_P_SLURM_ACCOUNTINGSTORAGEPORT),
        .def = "6819",
        .doc = "port of slurmdbd, written to slurm.conf and slurmdbd.conf alike",
    },
    {
        .name = "storage",
        .kind = PLUMB_K_MAP,
        .of = &storage_table,
        .doc = "the MariaDB or MySQL server behind slurmdbd",
    },
    {
        .name = "archive",
        .kind = PLUMB_K_WORD,
        .words = archive_words,
        .list = true,
        .doc = "records that are written to files before they are purged",
        .why = "without a purge of the same name nothing is archived",
        .example = "[events, jobs]",
    },
    {
        .name = "archive_dir",
        .kind = PLUMB_K_PATH,
        .sets = PLUMB_SETS(PLUMB_P_DBD_ARCHIVEDIR),
        .doc = "folder for archives; slurmdbd ends when it is missing or not writable",
        .example = "/var/lib/slurm/archive",
    },
    {
        .name = "purge",
        .kind = PLUMB_K_MAP,
        .of = &purge_table,
        .doc = "ages after which records are deleted",
        .why = "job tables grow for ever without it, and fair share with them",
    },
    {
        .name = "log_file",
        .kind = PLUMB_K_PATH,
        .sets = PLUMB_SETS(PLUMB_P_DBD_LOGFILE),
        .doc = "log file of slurmdbd; without it the log goes to syslog",
        .example = "/var/log/slurm/slurmdbd.log",
    },
    {
        .name = "log_level",
        .kind = PLUMB_K_WORD,
        .words = log_words,
        .sets = PLUMB_SETS(PLUMB_P_DBD_DEBUGLEVEL),
        .doc = "how much slurmdbd logs",
        .example = "info",
    },
};

const struct plumb_spec_table plumb_spec_database = {
    .title = "database", .keys = database_keys, .count = PLUMB_COUNT(database_keys)};

#define SECONDS(key, id, text, reason, sample)                                                     \
    {                                                                                              \
        .name = (key), .kind = PLUMB_K_DURATION, .unit = PLUMB_U_SECONDS, .sets = PLUMB_SETS(id),  \
        .doc = (text), .why = (reason), .example = (sample)                                        \
    }

static const struct plumb_spec_key timeout_keys[] = {
    SECONDS("batch_start", PLUMB_P_SLURM_BATCHSTARTTIMEOUT,
            "how long a batch job may take to start, the prolog included", NULL, "30 s"),
    SECONDS("complete", PLUMB_P_SLURM_COMPLETEWAIT,
            "how long other jobs wait for one that is completing", NULL, "32 s"),
    SECONDS("controller", PLUMB_P_SLURM_SLURMCTLDTIMEOUT,
            "silence of the primary controller after which a backup takes over", NULL, "120 s"),
    {
        .name = "epilog",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_SECONDS,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_EPILOGTIMEOUT),
        .instead = PLUMB_SETS(PLUMB_P_SLURM_PROLOGEPILOGTIMEOUT),
        .doc = "how long an epilog may run",
        .why = "before 25.05 Slurm has one limit for prolog and epilog",
        .example = "60 s",
    },
    {
        .name = "epilog_message",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_MICROSECONDS,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_EPILOGMSGTIME),
        .doc = "time that slurmctld needs for one epilog message; spreads those of many nodes",
        .why = "Slurm counts it in microseconds: EpilogMsgTime=30 spreads nothing",
        .example = "2000 us",
    },
    SECONDS("inactive", PLUMB_P_SLURM_INACTIVELIMIT,
            "silence after which srun or salloc is taken for dead; 0 s is never", NULL, "0 s"),
    SECONDS("kill_wait", PLUMB_P_SLURM_KILLWAIT,
            "time between SIGTERM and SIGKILL when a job reaches its limit", NULL, "30 s"),
    SECONDS("message", PLUMB_P_SLURM_MESSAGETIMEOUT, "how long one message may take", NULL, "30 s"),
    SECONDS("min_job_age", PLUMB_P_SLURM_MINJOBAGE,
            "how long slurmctld remembers a job that is over", NULL, "300 s"),
    SECONDS("node", PLUMB_P_SLURM_SLURMDTIMEOUT, "silence of slurmd after which a node is DOWN",
            NULL, "300 s"),
    {
        .name = "prolog",
        .kind = PLUMB_K_DURATION,
        .unit = PLUMB_U_SECONDS,
        .sets = PLUMB_SETS(PLUMB_P_SLURM_PROLOGTIMEOUT),
        .instead = PLUMB_SETS(PLUMB_P_SLURM_PROLOGEPILOGTIMEOUT),
        .doc = "how long a prolog may run",
        .why = "before 25.05 Slurm has one limit for prolog and epilog",
        .example = "60 s",
    },
    SECONDS("tcp", PLUMB_P_SLURM_TCPTIMEOUT, "how long a connection may take to be made", NULL,
            "5 s"),
    SECONDS("unkillable_step", PLUMB_P_SLURM_UNKILLABLESTEPTIMEOUT,
            "how long processes may survive SIGKILL before the node is drained", NULL, "180 s"),
    SECONDS("wait", PLUMB_P_SLURM_WAITTIME,
            "how long other tasks may run after the first has ended; 0 s is for ever", NULL, "0 s"),
};

const struct plumb_spec_table plumb_spec_timeouts = {
    .title = "timeouts", .keys = timeout_keys, .count = PLUMB_COUNT(timeout_keys)};

static const struct plumb_spec_key ignore_keys[] = {
    {
        .name = "rule",
        .kind = PLUMB_K_TEXT,
        .required = true,
        .doc = "code or name of the rule",
        .example = "GRES003",
    },
    {
        .name = "reason",
        .kind = PLUMB_K_TEXT,
        .required = true,
        .doc = "why its findings are accepted here",
        .example = "\"fair share is tuned over fortnights here\"",
    },
    {
        .name = "until",
        .kind = PLUMB_K_TEXT,
        .doc = "date from which the entry no longer counts",
        .example = "2027-01-31",
    },
};

const struct plumb_spec_table plumb_spec_ignore = {
    .title = "ignore", .keys = ignore_keys, .count = PLUMB_COUNT(ignore_keys)};
