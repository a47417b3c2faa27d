/* SPDX-License-Identifier: Apache-2.0 */
/* Shell words (POSIX.1-2017, XCU 2.2 Quoting). */
#include "syntax/shell.h"

#include <string.h>

/* Characters that mean nothing to a shell wherever they stand in a word. */
static bool is_harmless(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("_-./:,+@%", c) != NULL);
}

static bool needs_quotes(const char *text)
{
    if (*text == '\0')
        return true;
    for (; *text != '\0'; text++) {
        if (!is_harmless(*text))
            return true;
    }
    return false;
}

void plumb_shell_word(struct plumb_buf *out, const char *text)
{
    if (!needs_quotes(text)) {
        plumb_buf_str(out, text);
        return;
    }
    /* Inside single quotes only the quote itself is special. */
    plumb_buf_char(out, '\'');
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            plumb_buf_str(out, "'\\''");
        else
            plumb_buf_char(out, *text);
    }
    plumb_buf_char(out, '\'');
}

void plumb_shell_assign(struct plumb_buf *out, const char *name, const char *text)
{
    plumb_buf_str(out, name);
    plumb_buf_char(out, '=');
    plumb_shell_word(out, text);
    plumb_buf_char(out, '\n');
}
