/* SPDX-License-Identifier: Apache-2.0 */
/* What of a class decides which cores its jobs get. */
#include "jobs/jobs.h"
#include "model/index_map.h"
#include "schema/trait.h"
#include "schema/value.h"

/* Sockets, cores and CPUs of the line are those of the machine: else cores have other numbers. */
static bool line_agrees(const struct plumb_model *m, const struct plumb_nodes *n,
                        const struct plumb_hw_sockets *by)
{
    struct plumb_u64 cores =
        plumb_setting_u64(&n->settings, PLUMB_P_NODE_CORESPERSOCKET, m->release);
    uint64_t threads = n->hardware->threads_per_core.v;

    return plumb_usable(cores) && cores.v == by->cores_per_socket && plumb_usable(n->cpus) &&
           n->cpus.v == (uint64_t)by->sockets * by->cores_per_socket * threads;
}

/* node_conf.c:_select_spec_cores: the last core of each socket in turn, from the last socket on. */
static void reserve_count(const struct plumb_emit *em, const struct plumb_hw_sockets *by,
                          uint64_t count, struct plumb_binding_ask *ask)
{
    uint64_t all = (uint64_t)by->sockets * by->cores_per_socket;

    if (!plumb_trait_now(em->session, PLUMB_TRAIT_CORE_SPEC_BY_SOCKETS)) {
        ask->spare = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
        return;
    }
    for (uint64_t i = 0; i < count && i < all; i++) {
        uint32_t socket = by->sockets - 1 - (uint32_t)(i % by->sockets);
        uint32_t core = by->cores_per_socket - 1 - (uint32_t)(i / by->sockets);

        plumb_cores_add(em->session->arena, &ask->reserved,
                        (struct plumb_core){socket * by->cores_per_socket + core});
    }
}

static bool reserve(const struct plumb_emit *em, const struct plumb_nodes *n,
                    const struct plumb_hw_sockets *by, struct plumb_binding_ask *ask)
{
    const struct plumb_setting *list = plumb_setting(&n->settings, PLUMB_P_NODE_CPUSPECLIST);
    struct plumb_u64 count =
        plumb_setting_u64(&n->settings, PLUMB_P_NODE_CORESPECCOUNT, em->model->release);
    struct plumb_slurm_cpus cpus = {0};
    size_t fault = 0;

    if (list != NULL) {
        if (!plumb_slurm_cpus_read(em->session->arena, &list->value, &cpus, &fault))
            return false;
        ask->reserved = plumb_cores_of_slurm_cpus(em->session->arena, &cpus,
                                                  (uint32_t)n->hardware->threads_per_core.v);
    } else if (plumb_usable(count) && count.v > 0) {
        if (plumb_setting_has_word(plumb_slurm(em->model), PLUMB_P_SLURM_SCHEDULERPARAMETERS,
                                   "spec_cores_first", NULL))
            return false;
        reserve_count(em, by, count.v, ask);
    }
    return true;
}

/* Whole cores are handed out and tasks bound to theirs. */
static const char *unlike_daemons(const struct plumb_model *m)
{
    const struct plumb_setting *what =
        plumb_setting(plumb_slurm(m), PLUMB_P_SLURM_SELECTTYPEPARAMETERS);
    const struct plumb_setting *select = plumb_setting(plumb_slurm(m), PLUMB_P_SLURM_SELECTTYPE);

    if (!plumb_setting_has_word(plumb_slurm(m), PLUMB_P_SLURM_TASKPLUGIN, "task/affinity", NULL) &&
        !plumb_setting_has_word(plumb_slurm(m), PLUMB_P_SLURM_TASKPLUGIN, "affinity", NULL))
        return "TaskPlugin has no task/affinity, which binds tasks to cores and memory";
    if (select == NULL || !plumb_slice_holds(&select->value, "cons_tres"))
        return "SelectType is not select/cons_tres, which hands out GPUs with the cores near them";
    if (what != NULL && !plumb_slice_holds(&what->value, "CR_Core"))
        return "SelectTypeParameters has no CR_Core or CR_Core_Memory, so jobs get no whole cores";
    return NULL;
}

bool plumb_jobs_ask(const struct plumb_emit *em, const struct plumb_nodes *n,
                    struct plumb_binding_ask *ask, const char **reason)
{
    const struct plumb_hardware *hw = n->hardware;
    enum plumb_hw_socket_kind kind = plumb_socket_kind(em->model, n);
    struct plumb_binding any;

    *ask = (struct plumb_binding_ask){
        .hw = hw,
        .kind = kind,
        .links = !plumb_trait_now(em->session, PLUMB_TRAIT_GRES_PER_NODE_IGNORES_LINKS),
    };
    *reason = unlike_daemons(em->model);
    if (*reason != NULL)
        return false;
    *reason = "the captures do not tell which cores are near which GPU";
    if (hw->sockets[kind].sockets == 0 || !plumb_usable(hw->threads_per_core))
        return false;
    if (!line_agrees(em->model, n, &hw->sockets[kind])) {
        *reason = "the node line counts sockets, cores or CPUs otherwise than the capture";
        return false;
    }
    if (!reserve(em, n, &hw->sockets[kind], ask)) {
        *reason = "nothing tells which cores the node keeps for the system";
        return false;
    }
    return plumb_binding_of(em->session->arena, ask, (uint32_t)hw->gpu_count, &any);
}
