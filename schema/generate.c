/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plumb-schema FOLDER YAML...: the parameter table of schema/slurm/ as C. Read generate.h
 * first, then read.c (rows to revisions), traits.c (what releases do) and write.c (revisions to C).
 */
#include "generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every copy that was made, so that the end of the program can give them back. */
struct copy {
    struct copy *before;
    char text[];
};
static struct copy *copies;

char *copy_text(const char *text)
{
    struct copy *copy = malloc(sizeof(*copy) + strlen(text) + 1);

    if (copy == NULL)
        fail((struct place){"schema", 0}, "out of memory");
    memcpy(copy->text, text, strlen(text) + 1);
    copy->before = copies;
    copies = copy;
    return copy->text;
}

static void free_copies(void)
{
    while (copies != NULL) {
        struct copy *before = copies->before;

        free(copies);
        copies = before;
    }
}

/* The names begin with the release, so that their order is that of time. */
static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int main(int argc, char **argv)
{
    struct table table = {.params = calloc(MAX_PARAMS, sizeof(struct param))};

    if (argc < 3 || table.params == NULL) {
        fprintf(stderr, "usage: plumb-schema FOLDER YAML...\n");
        return 2;
    }
    qsort(argv + 2, (size_t)argc - 2, sizeof(*argv), by_name);
    if (argc - 2 != PLUMB_RELEASE_COUNT)
        fail((struct place){argv[argc - 1], 1}, "%d release files, base/release.h has %d", argc - 2,
             (int)PLUMB_RELEASE_COUNT);
    for (int i = 2; i < argc; i++)
        read_release(&table, argv[i]);
    write_table(&table, argv[1]);
    free_copies();
    free(table.params);
    return 0;
}
