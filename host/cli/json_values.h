/* JSON for machines: results as one object a line. Where memory runs out values are left out and
 * json_print_line fails. */
#ifndef REGAL_CLI_JSON_VALUES_H
#define REGAL_CLI_JSON_VALUES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* A string from any bytes: what is no UTF-8 becomes U+FFFD; NULL becomes null. */
json_t *json_words(const char *text);
void json_add_words(json_t *object, const char *key, const char *text);
void json_add_integer(json_t *object, const char *key, int64_t value);
json_t *json_integers(const int64_t *values, int64_t count);
/* part / whole, or null over zero or where part is negative. */
json_t *json_ratio(double part, double whole);

/* The object as one line without its end (freed with free), or NULL; takes the object over. */
char *json_line(json_t *object);
/* The same onto standard output; the exit code. */
int json_print_line(json_t *object);

#endif
