/* op,class,microseconds: RFC 4180, with lines that begin with # left out. Blanks around a field
 * that is not in quotes are no part of it. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "graph/graph_limits.h"
#include "io/costs/costs_data.h"

enum { OP, CLASS, MICROSECONDS, FIELDS };
static const char *const HEADER[FIELDS] = {"op", "class", "microseconds"};

typedef struct csv_reading {
    const char *label, *data;
    size_t size, at;
    int64_t line; /* where the record begins */
    int64_t next; /* where the next one does */
    char *field[FIELDS];
    size_t capacity[FIELDS];
    int field_count;
} csv_reading;

static bool ends_record(const csv_reading *in, size_t at) {
    return at >= in->size || in->data[at] == '\n' ||
           (in->data[at] == '\r' && (at + 1 == in->size || in->data[at + 1] == '\n'));
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static void skip_blanks(csv_reading *in) {
    while (in->at < in->size && is_blank(in->data[in->at]))
        ++in->at;
}

/* Past the end of the record. */
static void end_record(csv_reading *in) {
    if (in->at < in->size && in->data[in->at] == '\r')
        ++in->at;
    if (in->at < in->size)
        ++in->at;
    ++in->next;
}

static void skip_line(csv_reading *in) {
    while (!ends_record(in, in->at))
        ++in->at;
    end_record(in);
}

static regal_status open_field(csv_reading *in, size_t length) {
    REGAL_FAIL_IF(in->field_count == FIELDS, REGAL_INVALID_INPUT,
                  "%s:%lld: has more than three fields: expected op,class,microseconds", in->label,
                  (long long)in->line);
    const int f = in->field_count++;
    if (in->capacity[f] < length + 1) {
        char *grown = realloc(in->field[f], 2 * length + 1);
        REGAL_FAIL_IF_NULL(grown);
        in->field[f] = grown;
        in->capacity[f] = 2 * length + 1;
    }
    in->field[f][0] = '\0';
    return REGAL_OK;
}

static regal_status take_field(csv_reading *in, size_t length) {
    const char *text = in->field[in->field_count - 1];
    json_t *checked = json_stringn(text, length);
    const bool good = checked != NULL && strlen(text) == length;
    json_decref(checked);
    REGAL_FAIL_IF(!good, REGAL_INVALID_INPUT, "%s:%lld: is no text (UTF-8)", in->label,
                  (long long)in->line);
    return REGAL_OK;
}

static regal_status read_plain(csv_reading *in) {
    const size_t start = in->at;
    while (!ends_record(in, in->at) && in->data[in->at] != ',')
        ++in->at;
    size_t length = in->at - start;
    while (length > 0 && is_blank(in->data[start + length - 1]))
        --length;
    REGAL_FORWARD(open_field(in, length));
    char *text = in->field[in->field_count - 1];
    memcpy(text, in->data + start, length);
    text[length] = '\0';
    return take_field(in, length);
}

/* Past the quote that ends the field, whose first one is behind; two in a row stand for one. */
static regal_status find_closing_quote(csv_reading *in, size_t *end) {
    size_t at = in->at;
    for (;; ++at) {
        REGAL_FAIL_IF(at >= in->size, REGAL_INVALID_INPUT, "%s:%lld: a quote is not closed",
                      in->label, (long long)in->line);
        if (in->data[at] == '\n')
            ++in->next;
        if (in->data[at] != '"')
            continue;
        if (at + 1 >= in->size || in->data[at + 1] != '"')
            break;
        ++at;
    }
    *end = at;
    return REGAL_OK;
}

static regal_status read_quoted(csv_reading *in) {
    size_t end, length = 0;
    ++in->at;
    REGAL_FORWARD(find_closing_quote(in, &end));
    REGAL_FORWARD(open_field(in, end - in->at));
    char *text = in->field[in->field_count - 1];
    for (size_t i = in->at; i < end; ++i) {
        text[length++] = in->data[i];
        i += in->data[i] == '"';
    }
    text[length] = '\0';
    in->at = end + 1;
    skip_blanks(in);
    REGAL_FAIL_IF(!ends_record(in, in->at) && in->data[in->at] != ',', REGAL_INVALID_INPUT,
                  "%s:%lld: expected a comma or the end of the line after a quoted field",
                  in->label, (long long)in->line);
    return take_field(in, length);
}

static regal_status read_record(csv_reading *in) {
    in->field_count = 0;
    for (;;) {
        skip_blanks(in);
        REGAL_FORWARD(in->at < in->size && in->data[in->at] == '"' ? read_quoted(in)
                                                                   : read_plain(in));
        if (ends_record(in, in->at))
            break;
        ++in->at; /* the comma */
    }
    end_record(in);
    REGAL_FAIL_IF(in->field_count < FIELDS, REGAL_INVALID_INPUT,
                  "%s:%lld: has %d field%s: expected op,class,microseconds", in->label,
                  (long long)in->line, in->field_count, in->field_count == 1 ? "" : "s");
    return REGAL_OK;
}

static bool is_header(const csv_reading *in) {
    for (int f = 0; f < FIELDS; ++f)
        if (strcasecmp(in->field[f], HEADER[f]) != 0)
            return false;
    return true;
}

/* ---- numbers */

/* The parts of "12.5e3": the digits but for the point, and how many of them come before it. */
typedef struct decimal {
    const char *text;
    size_t whole, fraction; /* digits before and after the point */
    int64_t exponent;
} decimal;

static const char DIGITS[] = "0123456789";

static bool read_decimal(const char *text, decimal *number) {
    enum { GREATEST_EXPONENT = 100000 };
    *number = (decimal){.text = text, .whole = strspn(text, DIGITS)};
    const char *at = text + number->whole;
    if (*at == '.') {
        number->fraction = strspn(at + 1, DIGITS);
        at += 1 + number->fraction;
    }
    if (number->whole + number->fraction == 0)
        return false;
    if (*at != 'e' && *at != 'E')
        return *at == '\0';
    ++at;
    const bool negative = *at == '-';
    at += *at == '-' || *at == '+';
    const char *first = at;
    for (; *at >= '0' && *at <= '9'; ++at)
        if (number->exponent < GREATEST_EXPONENT)
            number->exponent = number->exponent * 10 + (*at - '0');
    if (negative)
        number->exponent = -number->exponent;
    return at > first && *at == '\0';
}

/* The digit at a place, counted from the first; 0 past the last. */
static int digit_at(const decimal *number, int64_t place) {
    const int64_t whole = (int64_t)number->whole;
    if (place < 0 || place >= whole + (int64_t)number->fraction)
        return 0;
    return number->text[place < whole ? place : place + 1] - '0';
}

/* round(number * 1000), halves up: exact, however long the number is. False where it passes 2^53.
 */
static bool to_ticks(const decimal *number, int64_t *ticks) {
    const int64_t places = (int64_t)number->whole + number->exponent + 3;
    *ticks = 0;
    for (int64_t i = 0; i < places; ++i) {
        *ticks = *ticks * 10 + digit_at(number, i);
        if (*ticks > REGAL_NUMBER_MAX)
            return false;
    }
    *ticks += places >= 0 && digit_at(number, places) >= 5;
    return *ticks <= REGAL_NUMBER_MAX;
}

static regal_status read_ticks(const csv_reading *in, int64_t *ticks) {
    const char *text = in->field[MICROSECONDS];
    const long long line = in->line;
    decimal number;
    REGAL_FAIL_IF(text[0] == '-' && read_decimal(text + 1, &number), REGAL_INVALID_INPUT,
                  "%s:%lld: a time cannot be negative: %.100s", in->label, line, text);
    REGAL_FAIL_IF(!read_decimal(text, &number), REGAL_INVALID_INPUT,
                  "%s:%lld: \"%.100s\" is no number of microseconds", in->label, line, text);
    REGAL_FAIL_IF(!to_ticks(&number, ticks), REGAL_INVALID_INPUT,
                  "%s:%lld: %.100s microseconds are more than 2^53 ticks (of 1 ns)", in->label,
                  line, text);
    return REGAL_OK;
}

/* ---- lines */

static regal_status add_record(csv_reading *in, regal_costs *costs) {
    int64_t ticks = 0;
    REGAL_FAIL_IF(in->field[OP][0] == '\0', REGAL_INVALID_INPUT, "%s:%lld: names no op", in->label,
                  (long long)in->line);
    REGAL_FORWARD(read_ticks(in, &ticks));
    const char *class_name = in->field[CLASS];
    return regal_costs_add(costs, in->field[OP], class_name[0] != '\0' ? class_name : NULL, ticks,
                           in->line);
}

static regal_status read_all(csv_reading *in, regal_costs *costs) {
    bool first = true;
    while (in->at < in->size) {
        in->line = in->next;
        const size_t start = in->at;
        skip_blanks(in);
        if (in->data[start] == '#' || ends_record(in, in->at)) {
            skip_line(in);
            continue;
        }
        REGAL_FORWARD(read_record(in));
        if (!first || !is_header(in))
            REGAL_FORWARD(add_record(in, costs));
        first = false;
    }
    return REGAL_OK;
}

static int compare_lines(const void *left, const void *right) {
    const regal_cost_line *a = *(const regal_cost_line *const *)left;
    const regal_cost_line *b = *(const regal_cost_line *const *)right;
    int order = strcmp(a->op, b->op);
    if (order == 0)
        order = strcmp(a->class_name != NULL ? a->class_name : "",
                       b->class_name != NULL ? b->class_name : "");
    return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

static bool are_same(const regal_cost_line *a, const regal_cost_line *b) {
    return strcmp(a->op, b->op) == 0 && strcmp(a->class_name != NULL ? a->class_name : "",
                                               b->class_name != NULL ? b->class_name : "") == 0;
}

static regal_status refuse_duplicates(const regal_costs *costs) {
    const regal_cost_line **sorted = regal_allocate(costs->count, sizeof *sorted);
    const regal_cost_line *again = NULL, *before = NULL;
    REGAL_FAIL_IF_NULL(sorted);
    for (int64_t i = 0; i < costs->count; ++i)
        sorted[i] = &costs->lines[i];
    qsort(sorted, (size_t)costs->count, sizeof *sorted, compare_lines);
    for (int64_t i = 1; i < costs->count; ++i)
        if (are_same(sorted[i - 1], sorted[i]) &&
            (again == NULL || sorted[i]->line < again->line)) {
            again = sorted[i];
            before = sorted[i - 1];
        }
    free(sorted);
    REGAL_FAIL_IF(again != NULL, REGAL_INVALID_INPUT,
                  "%s:%lld: \"%.200s\" has a time already, in line %lld", costs->label,
                  (long long)again->line, again->op, (long long)before->line);
    return REGAL_OK;
}

regal_status regal_costs_from_csv(regal_costs *costs, const char *data, size_t size) {
    csv_reading in = {.label = costs->label, .data = data, .size = size, .line = 1, .next = 1};
    regal_status status = read_all(&in, costs);
    for (int f = 0; f < FIELDS; ++f)
        free(in.field[f]);
    return status == REGAL_OK ? refuse_duplicates(costs) : status;
}
