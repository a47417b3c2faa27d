/* SPDX-License-Identifier: Apache-2.0 */
/* What follows from the stack beside a flavor. */
#include "model/kube_stack.h"

#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "model/mig.h"

enum { SLURM_TTL_SEC = 60, MUNGE_TTL_SEC = 300 };

bool plumb_kube_mig_single(const struct plumb_model *m)
{
    for (size_t i = 0; i < m->node_count; i++) {
        size_t cut = 0, items = 0;

        for (size_t k = 0; k < m->nodes[i].gres_count; k++) {
            const struct plumb_gres_item *g = &m->nodes[i].gres[k];

            if (strcmp(g->name, "gpu") != 0)
                continue;
            items++;
            cut += plumb_mig_of_type(g->type) != NULL;
        }
        if (cut > 0 && items > 1)
            return false;
    }
    return m->kube_stack != NULL && m->kube_stack->gpus;
}

const struct plumb_kube_credential *plumb_kube_credential_of(const struct plumb_kube_stack *stack,
                                                             enum plumb_kube_purpose purpose)
{
    for (size_t i = 0; i < stack->credential_count; i++) {
        if (stack->credentials[i].purpose == purpose)
            return &stack->credentials[i];
    }
    return NULL;
}

uint64_t plumb_kube_credential_sec(const struct plumb_model *m, bool slurm)
{
    const struct plumb_setting *type = plumb_setting(plumb_slurm(m), PLUMB_P_SLURM_AUTHTYPE);
    const struct plumb_setting *info = plumb_setting(plumb_slurm(m), PLUMB_P_SLURM_AUTHINFO);
    uint64_t sec = slurm || (type != NULL && plumb_slice_is(&type->value, "auth/slurm"))
                       ? SLURM_TTL_SEC
                       : MUNGE_TTL_SEC;
    static const char key[] = "ttl=";
    size_t begin = 0;

    for (size_t i = 0; info != NULL && i + strlen(key) <= info->value.len; i++) {
        const char *at = info->value.text + i;
        uint64_t given = 0;
        size_t digits = 0;

        if (memcmp(at, key, strlen(key)) != 0)
            continue;
        begin = i + strlen(key);
        while (begin + digits < info->value.len && plumb_is_digit(info->value.text[begin + digits]))
            digits++;
        if (plumb_read_digits(info->value.text + begin, digits, &given) && given > 0)
            return given;
    }
    return sec;
}
