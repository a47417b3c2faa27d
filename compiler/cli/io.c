/* SPDX-License-Identifier: Apache-2.0 */
/* All talking of the command: standard output, standard error, standard input, files. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/cli.h"

static const char prefix[] = "plumb: ";

void cli_error(const char *fmt, ...)
{
    va_list args;

    fputs(prefix, stderr);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
}

void cli_note(const struct cli *c, const char *fmt, ...)
{
    va_list args;

    if (c->flags[OPT_QUIET] > 0)
        return;
    fputs(prefix, stderr);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
}

int cli_usage(const struct cli *c, const char *fmt, ...)
{
    va_list args;

    fputs(prefix, stderr);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    if (c->command == NULL)
        fprintf(stderr, "\n%s'plumb help' shows the commands\n", prefix);
    else
        fprintf(stderr, "\n%s'plumb %s --help' shows what it takes\n", prefix, c->command->name);
    return PLUMB_RESULT_USAGE;
}

static bool write_all(int fd, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t done = write(fd, text, len);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        text += done;
        len -= (size_t)done;
    }
    return true;
}

bool cli_write(int fd, const char *text, size_t len)
{
    if (write_all(fd, text, len))
        return true;
    if (errno != EPIPE) /* the reader has gone: it knows */
        cli_error("cannot write to standard output: %s", strerror(errno));
    return false;
}

bool cli_write_file(const char *path, const char *text, size_t len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool done = fd >= 0 && write_all(fd, text, len);

    if (fd >= 0 && close(fd) != 0)
        done = false;
    if (!done)
        cli_error("cannot write '%s': %s", path, strerror(errno));
    return done;
}

bool cli_read_stdin(struct plumb_arena *a, char **bytes, size_t *len)
{
    struct stat st;
    size_t cap = 65536;

    if (fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
        st.st_size <= PLUMB_MAX_FILE_BYTES)
        cap = (size_t)st.st_size + 1; /* and then it is at its end */
    *bytes = plumb_arena_raw(a, cap + 1);
    *len = 0;
    for (;;) {
        if (*len == cap) {
            char *more = plumb_arena_raw(a, cap * 2 + 1);

            memcpy(more, *bytes, *len);
            *bytes = more;
            cap *= 2;
        }

        ssize_t got = read(STDIN_FILENO, *bytes + *len, cap - *len);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            cli_error("cannot read standard input: %s", strerror(errno));
            return false;
        }
        if (got == 0)
            break;
        *len += (size_t)got;
        if (*len > PLUMB_MAX_FILE_BYTES) {
            cli_error("standard input is larger than 256 MiB");
            return false;
        }
    }
    (*bytes)[*len] = '\0';
    return true;
}

bool cli_use_colour(const struct cli *c)
{
    const char *when = c->values[OPT_COLOR], *no = getenv("NO_COLOR"), *term = getenv("TERM");

    if (when != NULL && strcmp(when, "auto") != 0)
        return strcmp(when, "always") == 0;
    return isatty(STDOUT_FILENO) && (no == NULL || no[0] == '\0') &&
           (term == NULL || strcmp(term, "dumb") != 0);
}
