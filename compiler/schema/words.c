/* SPDX-License-Identifier: Apache-2.0 */
/* The words of rows, by value. */
#include "schema/words.h"

#include <string.h>

#include "base/rule.h"
#include "schema/param.h"

const struct plumb_word plumb_file_words[] = {
#define PLUMB_FILE_WORD(word, value) {word, value},
#include "schema/words.def"
    {NULL, 0},
};

const struct plumb_word plumb_scope_words[] = {
#define PLUMB_SCOPE_WORD(word, value) {word, value},
#include "schema/words.def"
    {NULL, 0},
};

const struct plumb_word plumb_type_words[] = {
#define PLUMB_TYPE_WORD(word, value) {word, value},
#include "schema/words.def"
    {NULL, 0},
};

const struct plumb_word plumb_life_words[] = {
#define PLUMB_LIFE_WORD(word, value) {word, value},
#include "schema/words.def"
    {NULL, 0},
};

const struct plumb_word plumb_match_words[] = {
#define PLUMB_MATCH_WORD(word, value) {word, value},
#include "schema/words.def"
    {NULL, 0},
};

const struct plumb_word plumb_effect_words[] = {
#define PLUMB_EFFECT_WORD(word, value) {word, value},
#include "schema/words.def"
    {NULL, 0},
};

const struct plumb_word plumb_daemon_words[] = {
#define PLUMB_DAEMON_WORD(word, value) {word, value},
#include "schema/words.def"
    {NULL, 0},
};

int plumb_word_value(const struct plumb_word *words, const char *text)
{
    for (; words->word != NULL; words++) {
        if (strcmp(words->word, text) == 0)
            return words->value;
    }
    return -1;
}
