/* SPDX-License-Identifier: Apache-2.0 */
/* The Slurm release series that plumb knows. */
#include "base/release.h"

#include <string.h>

#include "base/text.h"

static const char *const names[] = {
    "22.05", "23.02", "23.11", "24.05", "24.11", "25.05",
    "25.11", "26.05", "26.11", "27.05", "27.11", "28.05", /* to come */
};

_Static_assert(PLUMB_COUNT(names) == PLUMB_RELEASE_SLOTS, "one name per release");

const char *plumb_release_name(enum plumb_release r)
{
    return (unsigned)r < PLUMB_RELEASE_SLOTS ? names[r] : "none";
}

static bool is_patch_level(const char *text, size_t len)
{
    if (len < 2 || text[0] != '.')
        return false;
    for (size_t i = 1; i < len; i++) {
        if (!plumb_is_digit(text[i]))
            return false;
    }
    return true;
}

enum plumb_release plumb_release_read_any(const char *text, size_t len)
{
    for (size_t i = 0; i < PLUMB_COUNT(names); i++) {
        size_t want = strlen(names[i]);

        if (len < want || memcmp(text, names[i], want) != 0)
            continue;
        if (len == want || is_patch_level(text + want, len - want))
            return (enum plumb_release)i;
    }
    return PLUMB_RELEASE_NONE;
}

enum plumb_release plumb_release_read(const char *text, size_t len)
{
    enum plumb_release r = plumb_release_read_any(text, len);

    return (unsigned)r < PLUMB_RELEASE_COUNT ? r : PLUMB_RELEASE_NONE;
}

/* Behind the last "slurm" of a tag, as in "4.1.7-noble-slurm25.11.3"; else it begins the tag. */
static size_t series_at(const char *image, size_t tag, size_t end)
{
    static const char word[] = "slurm";
    size_t len = sizeof word - 1;

    for (size_t at = end; at >= tag + len; at--) {
        if (memcmp(image + at - len, word, len) == 0)
            return at;
    }
    return tag;
}

enum plumb_release plumb_release_of_image(const char *image)
{
    enum { SERIES = 5 }; /* "25.11" */
    size_t len = image == NULL ? 0 : strcspn(image, "@"), begin = len;

    while (begin > 0 && image[begin - 1] != ':' && image[begin - 1] != '/')
        begin--;
    if (begin == 0 || image[begin - 1] != ':')
        return PLUMB_RELEASE_NONE;
    begin = series_at(image, begin, len);
    return len - begin < SERIES ? PLUMB_RELEASE_NONE : plumb_release_read(image + begin, SERIES);
}
