/* The lexical layer of HLO text: a cursor over a module's text, and small readers of attribute
 * values. */
#ifndef REGAL_IO_HLO_TEXT_H
#define REGAL_IO_HLO_TEXT_H

#include "io/hlo/hlo_module.h"

typedef struct hlo_cursor {
    const hlo_module *module; /* for messages */
    const char *at, *end;
} hlo_cursor;

/* Skips white space and comments, then tells the next character, '\0' at the end. */
char regal_hlo_peek(hlo_cursor *cursor);
/* Takes the character if it is next. */
bool regal_hlo_take(hlo_cursor *cursor, char c);
regal_status regal_hlo_expect(hlo_cursor *cursor, char c, const char *where);
/* Takes an identifier (letters, digits, '_', '.', '-'); of size 0 if none is next. */
hlo_slice regal_hlo_take_word(hlo_cursor *cursor);
/* The same with or without '%' before it, or in quotes; an error if none is next. */
regal_status regal_hlo_take_name(hlo_cursor *cursor, const char *what, hlo_slice *name);
/* Takes an integer; false, with nothing taken, if none is next or if it does not fit. */
bool regal_hlo_take_integer(hlo_cursor *cursor, int64_t *value);
/* Takes the balanced text from an opening bracket (next) behind its closing one. */
regal_status regal_hlo_take_balanced(hlo_cursor *cursor, hlo_slice *value);
/* Takes an attribute's value: everything up to a comma, a blank or a closing bracket, brackets and
 * texts taken whole. */
regal_status regal_hlo_take_value(hlo_cursor *cursor, hlo_slice *value);

/* Values. Lists are numbers with anything between them: "{0,1}", "3x3", "[2,64]". */
hlo_cursor regal_hlo_cursor_of(const hlo_module *module, hlo_slice slice);
/* The next number of a list; false at its end. */
bool regal_hlo_next_integer(hlo_cursor *cursor, int64_t *value);
/* The value of "key=..." inside a window: "{size=3x3 stride=2x2}"; empty if it is not there. */
hlo_slice regal_hlo_window_field(hlo_slice window, const char *key);

/* "{0}: (1, {2}, kind)": a pair of places in tuples. Used by both kinds of aliasing. */
typedef struct hlo_alias {
    hlo_slice output; /* path in the result */
    int64_t number;   /* parameter or operand */
    hlo_slice inner;  /* path in it */
} hlo_alias;
/* The next pair of "{ pair, pair, ... }", the cursor behind its "{"; *more is false at the end. */
regal_status regal_hlo_next_alias(hlo_cursor *cursor, hlo_alias *alias, bool *more);
/* The node that a path leads to and its first leaf within `shape`; NULL if there is none. */
const hlo_node *regal_hlo_path_follow(const hlo_module *module, const hlo_node *shape,
                                      hlo_slice path);

#endif
