/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as manifests, and as values of a chart: read, held against the tables, lifted, judged
 * by the rules, shown. The first byte says which, and the release of the operator.
 */
#include "plumb/plumb.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const kinds[] = {"kubernetes", "kubernetes", "kubernetes", "values.yaml"};
    static const char *const names[] = {"manifest.yaml", "kustomization.yaml", "objects.json",
                                        "values.yaml"};
    struct plumb_options o = {.today = "2026-01-01"};
    plumb_handle *h = NULL;
    size_t len = 0;

    if (size < 1)
        return 0;
    o.as = kinds[data[0] % 4];
    o.kubernetes = data[0] / 4 % 2 == 0 ? "slinky=1.2.1" : NULL;
    h = plumb_open(&o);
    if (h == NULL)
        return 0;
    (void)plumb_add_text(h, names[data[0] % 4], (const char *)data + 1, size - 1);
    (void)plumb_run_all(h, "error");
    (void)plumb_render(h, "human", true, 0, &len);
    (void)plumb_render(h, "json", false, 0, &len);
    plumb_close(h);
    return 0;
}
