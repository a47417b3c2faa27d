/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions of CRDs (x-kubernetes-validations), by the names that schema/kube/import.py gives
 * them. Each gets the mapping that the expression stands at.
 */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "kube/check.h"
#include "kube/rules.h"
#include "kube/value.h"

static bool has(const struct plumb_node *n, const char *path)
{
    const struct plumb_node *v = plumb_node_path(n, path);

    return v != NULL && plumb_kube_json_of(v) != PLUMB_KUBE_IS_NULL;
}

static bool is_external(const struct plumb_node *n)
{
    return plumb_kube_true(plumb_node_get(n, "external"));
}

static bool slurm_key(const struct plumb_node *n)
{
    return is_external(n) || has(n, "slurmKeyRef");
}

static bool some_jwt_key(const struct plumb_node *n)
{
    return has(n, "jwtKeyRef") || has(n, "jwtHs256KeyRef");
}

static bool jwt_key(const struct plumb_node *n)
{
    return is_external(n) || some_jwt_key(n);
}

static bool external_config(const struct plumb_node *n)
{
    return !is_external(n) || has(n, "externalConfig");
}

static bool ha_claim(const struct plumb_node *n)
{
    const char *claim = plumb_node_text(plumb_node_path(n, "persistence/existingClaim"));

    if (!plumb_kube_true(plumb_node_path(n, "ha/enabled")))
        return true;
    return plumb_kube_true(plumb_node_path(n, "persistence/enabled")) && claim != NULL &&
           claim[0] != '\0';
}

static bool scheduled(const struct plumb_node *n)
{
    const char *type = plumb_node_text(plumb_node_get(n, "type"));

    return type == NULL || strcmp(type, "ScheduledUpdate") != 0 ||
           (has(n, "scheduledUpdate/startTime") && has(n, "scheduledUpdate/duration"));
}

static bool structured(const struct plumb_node *n)
{
    const char *type = plumb_node_text(plumb_node_get(n, "configType"));
    const struct plumb_node *partitions = plumb_node_get(n, "partitions");

    return type == NULL || strcmp(type, "structured") != 0 ||
           (partitions != NULL && partitions->count > 0);
}

/* Milliseconds of "1h30m"; UINT64_MAX: it is no duration, which is another's fault. */
static uint64_t duration(const char *text)
{
    static const struct {
        const char *unit;
        uint64_t ms;
    } units[] = {{"ms", 1},    {"us", 0},      {"ns", 0},      {"s", 1000},
                 {"m", 60000}, {"h", 3600000}, {"d", 86400000}};
    uint64_t sum = 0, n = 0;

    while (*text != '\0') {
        size_t digits = plumb_read_digits(text, strlen(text), &n), u = 0;

        if (digits == 0 || digits == SIZE_MAX || n > UINT32_MAX)
            return UINT64_MAX;
        text += digits;
        while (u < PLUMB_COUNT(units) && !plumb_starts_with(text, units[u].unit))
            u++;
        if (u == PLUMB_COUNT(units))
            return UINT64_MAX;
        sum += n * units[u].ms;
        text += strlen(units[u].unit);
    }
    return sum;
}

static bool wait_above_poll(const struct plumb_node *n)
{
    const char *wait = plumb_node_text(plumb_node_get(n, "reconfigureWaitTimeout"));
    const char *poll = plumb_node_text(plumb_node_get(n, "reconfigurePollInterval"));
    uint64_t w = wait == NULL ? UINT64_MAX : duration(wait);
    uint64_t p = poll == NULL ? UINT64_MAX : duration(poll);

    return w == UINT64_MAX || p == UINT64_MAX || w > p;
}

static const struct {
    const char *name;
    bool (*holds)(const struct plumb_node *n);
    const char *at; /* the field that it is about, where it is there */
    const char *message;
} rules[] = {
    {"slurm-key-unless-external", slurm_key, "slurmKeyRef",
     "lacks 'slurmKeyRef', which it needs unless 'external' is true"},
    {"jwt-key-unless-external", jwt_key, "jwtKeyRef",
     "lacks 'jwtKeyRef', which it needs unless 'external' is true"},
    {"external-config", external_config, "external",
     "is external and lacks 'externalConfig', which tells where the daemon is"},
    {"ha-needs-claim", ha_claim, "ha",
     "has 'ha' enabled and lacks an enabled 'persistence' with 'existingClaim', a volume that two "
     "pods can mount"},
    {"scheduled-update", scheduled, "type",
     "is of type ScheduledUpdate and lacks 'scheduledUpdate' with 'startTime' and 'duration'"},
    {"some-jwt-key", some_jwt_key, "jwtKeyRef", "lacks 'jwtKeyRef'"},
    {"structured-partitions", structured, "configType",
     "has configType 'structured' and no 'partitions', expected at least one"},
    {"wait-above-poll", wait_above_poll, "reconfigureWaitTimeout",
     "has a 'reconfigureWaitTimeout' that is not above its 'reconfigurePollInterval'"},
};

void plumb_kube_cel(struct plumb_session *s, const char *rule, const char *what,
                    const struct plumb_node *n)
{
    for (size_t i = 0; i < PLUMB_COUNT(rules); i++) {
        const struct plumb_pair *p = NULL;

        if (strcmp(rules[i].name, rule) != 0)
            continue;
        if (rules[i].holds(n))
            return;
        p = plumb_node_pair(n, rules[i].at);
        plumb_kube_report(s, PLUMB_KUBE_CEL,
                          p != NULL      ? p->key->at
                          : n->count > 0 ? n->pairs[0].key->at
                                         : n->at,
                          "%s %s; the API server refuses the object", what, rules[i].message);
        return;
    }
    PLUMB_ASSERT(false); /* the table names an expression that is not here */
}
