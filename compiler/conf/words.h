/* SPDX-License-Identifier: Apache-2.0 */
/* Words of a logical line: the grammar of one key=value, and which keys begin a record. */
#ifndef PLUMB_CONF_WORDS_H
#define PLUMB_CONF_WORDS_H

#include "conf/lines.h"

/* Where the words of one key=value stand in a logical line. */
struct plumb_conf_words {
    uint32_t key_begin, key_end;
    uint32_t sign; /* the '=' */
    char op;
    uint32_t value_begin, value_end; /* without quotes */
    uint32_t next;                   /* behind the value and its quote */
    bool quoted;
};

enum plumb_conf_match { PLUMB_CONF_MATCH_PAIR, PLUMB_CONF_MATCH_NO_VALUE, PLUMB_CONF_MATCH_NONE };

bool plumb_conf_is_key_char(char c);
uint32_t plumb_conf_skip_blanks(const struct plumb_conf_text *t, uint32_t pos);

/* Stops at a NUL too: words that were taken already end in one. */
uint32_t plumb_conf_skip_word(const struct plumb_conf_text *t, uint32_t pos);

/* [blank]* KEY [blank]* [op]= [blank]* VALUE ([blank]|end), parse_config.c:_keyvalue_regex */
enum plumb_conf_match plumb_conf_match_pair(const struct plumb_conf_text *t, uint32_t pos,
                                            struct plumb_conf_words *w);

/* The scope of the pairs behind a record key; PLUMB_SCOPE_GLOBAL: it begins no record. */
enum plumb_scope plumb_conf_record_scope(enum plumb_file file, const char *key, size_t len);

#endif
