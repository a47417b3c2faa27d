/* SPDX-License-Identifier: Apache-2.0 */
/* The words that rows of the parameter table use, for reading rows at run time. */
#ifndef PLUMB_SCHEMA_WORDS_H
#define PLUMB_SCHEMA_WORDS_H

struct plumb_word {
    const char *word;
    int value;
};

extern const struct plumb_word plumb_file_words[], plumb_scope_words[], plumb_type_words[],
    plumb_life_words[], plumb_match_words[], plumb_effect_words[], plumb_daemon_words[];

/* -1: no such word. */
int plumb_word_value(const struct plumb_word *words, const char *text);

#endif
