/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of pass read-accounts. */
#ifndef PLUMB_PASSES_ACCOUNTS_H
#define PLUMB_PASSES_ACCOUNTS_H

#include "model/accounts.h"
#include "passes/pass.h"

struct plumb_accounts_read {
    struct plumb_session *session;
    struct plumb_accounts *out;
};

/* "key=value" of a command or of a dump, the quotes taken away. */
struct plumb_acct_pair {
    struct plumb_slice key, value;
    char sign; /* '+' or '-' before the equals sign: adds or takes away; else 0 */
};

bool plumb_acct_pair(const struct plumb_slice *word, struct plumb_acct_pair *out);
/* key is the word or its start, at least min letters of it, as sacctmgr compares. */
bool plumb_acct_is(const struct plumb_slice *key, const char *word, size_t min);
const char *plumb_acct_intern(struct plumb_accounts_read *rd, const struct plumb_slice *text);
struct plumb_names plumb_acct_names(struct plumb_accounts_read *rd, const struct plumb_slice *list);

/* A limit; false: the key names none. qos: MaxJobs and MaxSubmitJobs count per user. */
bool plumb_acct_limit(struct plumb_accounts_read *rd, struct plumb_limits *l,
                      const struct plumb_acct_pair *pair);
void plumb_acct_qos_list(struct plumb_accounts_read *rd, struct plumb_qos_list *l,
                         const struct plumb_acct_pair *pair);
void plumb_acct_qos_flags(struct plumb_qos *q, const struct plumb_acct_pair *pair);

/* The record, made when it is not there. */
struct plumb_qos *plumb_acct_qos(struct plumb_accounts_read *rd, const char *name,
                                 struct plumb_span at);
struct plumb_user *plumb_acct_user(struct plumb_accounts_read *rd, const char *name);
struct plumb_assoc *plumb_acct_assoc(struct plumb_accounts_read *rd, const char *account,
                                     const char *user, const char *partition, struct plumb_span at);

/* accounting: of a specification; false: it says nothing about QOS and accounts. */
bool plumb_acct_read_spec(struct plumb_accounts_read *rd, const struct plumb_spec *spec);

/* Objects of the cluster that was put together; false: none says anything. */
bool plumb_acct_read_kube(struct plumb_accounts_read *rd, const struct plumb_run *r);

/* The lines of a `sacctmgr dump`. */
bool plumb_acct_is_dump(const struct plumb_source *src);
void plumb_acct_read_dump(struct plumb_accounts_read *rd, const struct plumb_source *src);

#endif
