/* SPDX-License-Identifier: Apache-2.0 */
/* A program outside the tree, as check_install.sh builds it: two sessions in two threads. */
#include <plumb/plumb.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "plumb: 1\ncluster: c\ncontrol: {hosts: [cp-01]}\n"
                           "nodes: {n: {hosts: n1, cpus: 4, memory: 4000 MiB}}\n"
                           "partitions: {p: {nodes: all, max_tme: 1 h}}\n";

/* Gives the number of sessions that did not say what they must. */
static void *check(void *wrong)
{
    for (int round = 0; round < 20; round++) {
        struct plumb_options options = {.slurm = "24.11"};
        plumb_handle *h = plumb_open(&options);
        struct plumb_finding f = {0};
        size_t len = 0;
        bool right = h != NULL && plumb_problem(h) == NULL &&
                     plumb_add_text(h, "cluster.yaml", text, sizeof(text) - 1) &&
                     plumb_run_all(h, "error") == PLUMB_RESULT_FINDINGS &&
                     plumb_finding_count(h) == 1 && plumb_finding_at(h, 0, &f) &&
                     !plumb_finding_at(h, 1, &f) && strcmp(f.code, "SPEC001") == 0 && f.line == 5 &&
                     f.column == 30 && strcmp(f.severity, "error") == 0;
        const char *json = right ? plumb_render(h, "json", false, 0, &len) : "";

        right = right && len > 0 && len == strlen(json) && json[0] == '{';
        *(int *)wrong += !right;
        plumb_close(h);
    }
    return NULL;
}

int main(void)
{
    pthread_t other;
    int wrong[2] = {0, 0};

    if (pthread_create(&other, NULL, check, &wrong[0]) != 0)
        return 2;
    check(&wrong[1]);
    pthread_join(other, NULL);
    printf("libplumb %s: %d sessions were wrong\n", plumb_version(), wrong[0] + wrong[1]);
    return wrong[0] + wrong[1] == 0 ? 0 : 1;
}
