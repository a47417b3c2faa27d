/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every family of findings, in the order of the documentation. Families of readers and of the
 * table engine have rows without a function; their headers are of layers that rules do not
 * otherwise look into, so the families are named here.
 */
#include "rules/check.h"

extern const struct plumb_rule_family plumb_yaml_rules, plumb_xml_rules, plumb_smi_rules,
    plumb_capture_rules, plumb_conf_rules, plumb_conf_syntax_rules, plumb_ignore_rules,
    plumb_gen_rules, plumb_upgrade_rules, plumb_overlay_rules;
extern const struct plumb_rule_family plumb_node_rules, plumb_part_rules, plumb_sched_rules,
    plumb_prio_rules, plumb_time_rules, plumb_acct_rules, plumb_job_rules, plumb_agree_rules,
    plumb_sec_rules, plumb_gres_rules, plumb_mig_rules, plumb_numa_rules, plumb_link_rules,
    plumb_topo_rules, plumb_nccl_rules, plumb_spec_rules, plumb_beside_rules,
    plumb_job_script_rules, plumb_submit_rules, plumb_setting_rules, plumb_node_name_rules;

const struct plumb_rule_family *const plumb_rule_families[] = {
    &plumb_yaml_rules,    &plumb_spec_rules,        &plumb_xml_rules,    &plumb_smi_rules,
    &plumb_capture_rules, &plumb_conf_syntax_rules, &plumb_conf_rules,   &plumb_host_rules,
    &plumb_node_rules,    &plumb_part_rules,        &plumb_gres_rules,   &plumb_mig_rules,
    &plumb_numa_rules,    &plumb_link_rules,        &plumb_topo_rules,   &plumb_nccl_rules,
    &plumb_sched_rules,   &plumb_prio_rules,        &plumb_time_rules,   &plumb_acct_rules,
    &plumb_job_rules,     &plumb_job_script_rules,  &plumb_submit_rules, &plumb_beside_rules,
    &plumb_setting_rules, &plumb_node_name_rules,   &plumb_agree_rules,  &plumb_sec_rules,
    &plumb_upgrade_rules, &plumb_overlay_rules,     &plumb_gen_rules,    &plumb_ignore_rules,
};
const size_t plumb_rule_family_count = PLUMB_COUNT(plumb_rule_families);
