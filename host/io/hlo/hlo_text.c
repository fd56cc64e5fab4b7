#include "io/hlo/hlo_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

bool regal_hlo_slice_is(hlo_slice slice, const char *word) {
    return slice.size == strlen(word) && memcmp(slice.data, word, slice.size) == 0;
}

bool regal_hlo_slice_contains(hlo_slice slice, const char *word) {
    const size_t size = strlen(word);
    for (size_t i = 0; i + size <= slice.size; ++i)
        if (strncasecmp(slice.data + i, word, size) == 0)
            return true;
    return false;
}

int64_t regal_hlo_line(const hlo_module *module, const char *place) {
    int64_t line = 1;
    for (const char *at = module->text; at < place;) {
        at = memchr(at, '\n', (size_t)(place - at));
        if (at == NULL)
            break;
        ++line;
        ++at;
    }
    return line;
}

regal_status regal_hlo_fail(const hlo_module *module, const char *place, const char *file, int line,
                            const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return regal_error_set(REGAL_INVALID_INPUT, file, line, "%s:%lld: %s", module->file,
                           (long long)regal_hlo_line(module, place), text);
}

static bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
           c == '.' || c == '-';
}

/* Behind the comment that starts here, or here if none does. */
static const char *skip_comment(const char *at, const char *end) {
    if (end - at < 2 || *at != '/')
        return at;
    if (at[1] == '/') {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        return line_end != NULL ? line_end : end;
    }
    if (at[1] == '*') {
        const char *close = memmem(at + 2, (size_t)(end - at) - 2, "*/", 2);
        return close != NULL ? close + 2 : end;
    }
    return at;
}

char regal_hlo_peek(hlo_cursor *cursor) {
    while (cursor->at < cursor->end) {
        if (is_blank(*cursor->at)) {
            ++cursor->at;
            continue;
        }
        const char *behind = skip_comment(cursor->at, cursor->end);
        if (behind == cursor->at)
            return *cursor->at;
        cursor->at = behind;
    }
    return '\0';
}

bool regal_hlo_take(hlo_cursor *cursor, char c) {
    if (regal_hlo_peek(cursor) != c || cursor->at >= cursor->end)
        return false;
    ++cursor->at;
    return true;
}

/* What is next, for messages. */
static regal_status fail_at_next(hlo_cursor *cursor, const char *expected, const char *where) {
    regal_hlo_peek(cursor);
    if (cursor->at >= cursor->end)
        HLO_FAIL(cursor->module, cursor->at, "the text ends where %s is expected%s", expected,
                 where);
    const unsigned char c = (unsigned char)*cursor->at;
    if (c < 0x20 || c >= 0x7f)
        HLO_FAIL(cursor->module, cursor->at, "%s is expected%s, not the byte 0x%02x", expected,
                 where, c);
    HLO_FAIL(cursor->module, cursor->at, "%s is expected%s, not '%c'", expected, where, c);
}

regal_status regal_hlo_expect(hlo_cursor *cursor, char c, const char *where) {
    if (regal_hlo_take(cursor, c))
        return REGAL_OK;
    const char expected[] = {'\'', c, '\'', '\0'};
    return fail_at_next(cursor, expected, where);
}

hlo_slice regal_hlo_take_word(hlo_cursor *cursor) {
    regal_hlo_peek(cursor);
    hlo_slice word = {cursor->at, 0};
    while (cursor->at < cursor->end && is_word(*cursor->at))
        ++cursor->at;
    word.size = (size_t)(cursor->at - word.data);
    return word;
}

/* Behind the closing quote of the text that starts here, or NULL if it has none. */
static const char *skip_string(const char *at, const char *end) {
    for (++at; at < end; ++at) {
        if (*at == '\\' && at + 1 < end)
            ++at;
        else if (*at == '"')
            return at + 1;
    }
    return NULL;
}

regal_status regal_hlo_take_name(hlo_cursor *cursor, const char *what, hlo_slice *name) {
    regal_hlo_take(cursor, '%');
    if (regal_hlo_peek(cursor) == '"') {
        const char *end = skip_string(cursor->at, cursor->end);
        HLO_FAIL_IF(end == NULL, cursor->module, cursor->at, "a quoted name does not end");
        *name = (hlo_slice){cursor->at + 1, (size_t)(end - cursor->at) - 2};
        cursor->at = end;
    } else {
        *name = regal_hlo_take_word(cursor);
    }
    return name->size > 0 ? REGAL_OK : fail_at_next(cursor, what, "");
}

bool regal_hlo_take_integer(hlo_cursor *cursor, int64_t *value) {
    regal_hlo_peek(cursor);
    const char *at = cursor->at;
    const bool negative = at < cursor->end && *at == '-';
    at += negative;
    if (at >= cursor->end || !is_digit(*at))
        return false;
    int64_t number = 0;
    for (; at < cursor->end && is_digit(*at); ++at)
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_sub_overflow(number, *at - '0', &number))
            return false;
    if (!negative && __builtin_sub_overflow(0, number, &number))
        return false;
    *value = number;
    cursor->at = at;
    return true;
}

/* Open brackets, the kinds of the innermost 32 of them: two bits each, 0 where not known. */
typedef struct brackets {
    int64_t depth;
    uint64_t kinds;
} brackets;

static uint64_t bracket_kind(char c) {
    return c == '{' || c == '}' ? 1 : c == '(' || c == ')' ? 2 : c == '[' || c == ']' ? 3 : 0;
}

/* False where the bracket does not close the one that is open. */
static bool count_bracket(brackets *open, char c) {
    const uint64_t kind = bracket_kind(c), innermost = open->kinds & 3;
    if (c == '{' || c == '(' || c == '[') {
        ++open->depth;
        open->kinds = open->kinds << 2 | kind;
        return true;
    }
    --open->depth;
    open->kinds >>= 2;
    return innermost == 0 || innermost == kind;
}

/* Behind the text, comment or character that starts here; NULL where a text does not end. */
static const char *skip_item(const char *at, const char *end) {
    if (*at == '"')
        return skip_string(at, end);
    const char *behind = skip_comment(at, end);
    return behind > at ? behind : at + 1;
}

static regal_status take_until_balanced(hlo_cursor *cursor, hlo_slice *value, bool brackets_only) {
    const char *start = cursor->at;
    brackets open = {0, 0};
    while (cursor->at < cursor->end) {
        const char c = *cursor->at;
        if (!brackets_only && open.depth == 0 &&
            (is_blank(c) || c == ',' || c == '}' || c == ')' || c == ']'))
            break;
        HLO_FAIL_IF(bracket_kind(c) != 0 && !count_bracket(&open, c), cursor->module, cursor->at,
                    "unbalanced brackets: '%c' closes another kind", c);
        const char *next = skip_item(cursor->at, cursor->end);
        HLO_FAIL_IF(next == NULL, cursor->module, cursor->at, "a quoted text does not end");
        cursor->at = next;
        if (brackets_only && open.depth == 0)
            break;
    }
    HLO_FAIL_IF(open.depth != 0, cursor->module, start,
                "unbalanced brackets: one opened here is not closed");
    *value = (hlo_slice){start, (size_t)(cursor->at - start)};
    return REGAL_OK;
}

regal_status regal_hlo_take_balanced(hlo_cursor *cursor, hlo_slice *value) {
    regal_hlo_peek(cursor);
    return take_until_balanced(cursor, value, true);
}

regal_status regal_hlo_take_value(hlo_cursor *cursor, hlo_slice *value) {
    regal_hlo_peek(cursor);
    REGAL_FORWARD(take_until_balanced(cursor, value, false));
    return value->size > 0 ? REGAL_OK : fail_at_next(cursor, "a value", " behind '='");
}

hlo_cursor regal_hlo_cursor_of(const hlo_module *module, hlo_slice slice) {
    const char *data = slice.data != NULL ? slice.data : "";
    const hlo_cursor cursor = {module, data, data + slice.size};
    return cursor;
}

bool regal_hlo_next_integer(hlo_cursor *cursor, int64_t *value) {
    while (cursor->at < cursor->end && !is_digit(*cursor->at))
        ++cursor->at;
    return regal_hlo_take_integer(cursor, value);
}

hlo_slice regal_hlo_window_field(hlo_slice window, const char *key) {
    const size_t size = strlen(key);
    for (size_t i = 0; i + size < window.size; ++i) {
        const char *at = window.data + i, *end = window.data + window.size;
        if (at[size] != '=' || memcmp(at, key, size) != 0 || (i > 0 && is_word(at[-1])))
            continue;
        const char *stop = at += size + 1;
        while (stop < end && !is_blank(*stop) && *stop != '}' && *stop != ',')
            ++stop;
        return (hlo_slice){at, (size_t)(stop - at)};
    }
    return (hlo_slice){NULL, 0};
}

static regal_status take_path(hlo_cursor *cursor, hlo_slice *path) {
    if (regal_hlo_peek(cursor) != '{')
        return fail_at_next(cursor, "'{'", " in a list of aliases");
    return regal_hlo_take_balanced(cursor, path);
}

regal_status regal_hlo_next_alias(hlo_cursor *cursor, hlo_alias *alias, bool *more) {
    static const char where[] = " in a list of aliases";
    regal_hlo_take(cursor, ',');
    *more = !regal_hlo_take(cursor, '}');
    if (!*more)
        return REGAL_OK;
    REGAL_FORWARD(take_path(cursor, &alias->output));
    REGAL_FORWARD(regal_hlo_expect(cursor, ':', where));
    REGAL_FORWARD(regal_hlo_expect(cursor, '(', where));
    if (!regal_hlo_take_integer(cursor, &alias->number))
        return fail_at_next(cursor, "a number", where);
    alias->inner = (hlo_slice){cursor->at, 0};
    if (regal_hlo_take(cursor, ','))
        REGAL_FORWARD(take_path(cursor, &alias->inner));
    if (regal_hlo_take(cursor, ','))
        regal_hlo_take_word(cursor); /* may-alias, must-alias */
    return regal_hlo_expect(cursor, ')', where);
}

const hlo_node *regal_hlo_path_follow(const hlo_module *module, const hlo_node *shape,
                                      hlo_slice path) {
    hlo_cursor cursor = regal_hlo_cursor_of(module, path);
    int64_t index;
    while (shape != NULL && regal_hlo_next_integer(&cursor, &index))
        shape = regal_hlo_child(module, shape, index);
    return shape;
}
