/* Texts of the command line as values of options. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/console.h"
#include "cli/options.h"

/* "-1" as the default of a whole number stands for this word. */
static const char AUTOMATIC[] = "auto";
static const char DIGITS[] = "0123456789";

/* Nothing but digits, after "-" where that may be: strtoll takes blanks and "+" too. */
static bool is_whole(const char *text, bool negative) {
    text += negative && *text == '-';
    return *text != '\0' && text[strspn(text, DIGITS)] == '\0';
}

/* Digits with one point at most: strtod takes blanks, "+", exponents, hexadecimal and words too. */
static bool is_decimal(const char *text) {
    text += *text == '-';
    const size_t whole = strspn(text, DIGITS);
    const size_t point = text[whole] == '.';
    const size_t fraction = point ? strspn(text + whole + 1, DIGITS) : 0;
    return whole + fraction > 0 && text[whole + point + fraction] == '\0';
}

static bool read_int(const option_info *option, const char *text, int64_t *value) {
    if (option->int_standard == -1 && strcmp(text, AUTOMATIC) == 0) {
        *value = -1;
        return true;
    }
    errno = 0;
    const long long number = strtoll(text, NULL, 10);
    *value = number;
    return is_whole(text, option->int_least < 0) && errno == 0 && number >= option->int_least &&
           number <= option->int_greatest;
}

static bool read_seed(const char *text, uint64_t *value) {
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return is_whole(text, false) && errno == 0;
}

bool decimal_read(const char *text, double *value) {
    *value = strtod(text, NULL);
    return is_decimal(text) && isfinite(*value);
}

static bool read_real(const option_info *option, const char *text, double *value) {
    return decimal_read(text, value) && *value >= option->real_least &&
           *value <= option->real_greatest;
}

static bool is_choice(const char *choices, const char *text) {
    const size_t length = strlen(text);
    for (const char *at = choices; *at != '\0';) {
        const size_t span = strcspn(at, "|");
        if (span == length && memcmp(at, text, length) == 0)
            return true;
        at += span + (at[span] == '|');
    }
    return *choices == '\0';
}

static bool read_text(const option_info *option, const char *text, const char **value) {
    *value = text;
    return is_choice(option->choices, text) && (*text != '\0' || option->text_standard);
}

static void describe_values(const option_info *option, char *text, size_t size) {
    switch (option->kind) {
    case OPTION_INT:
        snprintf(text, size, "a whole number from %" PRId64 " to %" PRId64 "%s%s",
                 option->int_least, option->int_greatest, option->int_standard == -1 ? ", or " : "",
                 option->int_standard == -1 ? AUTOMATIC : "");
        break;
    case OPTION_SEED:
        snprintf(text, size, "a whole number from 0 to %" PRIu64, UINT64_MAX);
        break;
    case OPTION_REAL:
        snprintf(text, size, "a decimal number from %.10g to %.10g", option->real_least,
                 option->real_greatest);
        break;
    default:
        snprintf(text, size, "%s", *option->choices ? option->choices : option->argument);
    }
}

bool option_set(const option_info *option, command_id command, const char *text,
                cli_options *options) {
    void *member = (char *)options + option->offset;
    bool good = true;
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)member = true;
        break;
    case OPTION_INT:
        good = read_int(option, text, member);
        break;
    case OPTION_SEED:
        good = read_seed(text, member);
        break;
    case OPTION_REAL:
        good = read_real(option, text, member);
        break;
    case OPTION_TEXT:
        good = read_text(option, text, member);
        break;
    }
    if (!good) {
        char wanted[128];
        describe_values(option, wanted, sizeof wanted);
        usage_error(command, "--%s takes %s, not \"%.100s\"", option->flag, wanted, text);
    }
    return good;
}

static bool is_profile(const char *name, size_t length) {
    regal_profile_info info;
    for (int64_t i = 0; regal_profile_describe(i, &info); i++)
        if (strlen(info.name) == length && strncasecmp(info.name, name, length) == 0)
            return true;
    return false;
}

static void list_profiles(char *text, size_t size) {
    regal_profile_info info;
    size_t used = 0;
    text[0] = '\0';
    for (int64_t i = 0; used < size && regal_profile_describe(i, &info); i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i == 0 ? "" : ", ", info.name);
}

bool profile_names_check(command_id command, const char *names) {
    regal_profile_info info;
    if (!regal_profile_describe(0, &info)) {
        report_failure(NULL, REGAL_INVALID_INPUT);
        return false;
    }
    for (const char *name = names;;) {
        const size_t length = strcspn(name, ",");
        if (!is_profile(name, length)) {
            char known[512];
            list_profiles(known, sizeof known);
            usage_error(command, "--profile: no device profile is named \"%.*s\": there are %s",
                        length < 100 ? (int)length : 100, name, known);
            return false;
        }
        if (name[length] == '\0')
            return true;
        name += length + 1;
    }
}

/* Whether text[0..length) is NAME=SIZE. */
static bool is_dimension(const char *text, size_t length) {
    const char *equals = memrchr(text, '=', length);
    const size_t digits = equals ? strspn(equals + 1, DIGITS) : 0;
    return equals && equals > text && digits > 0 && digits < 17 &&
           equals + 1 + digits == text + length;
}

bool reading_options_check(command_id command, const cli_options *options) {
    int64_t bytes;
    if (options->assume_bytes && regal_bytes_parse(options->assume_bytes, &bytes) != REGAL_OK) {
        usage_error(command, "--assume-bytes: %s", regal_error_message());
        return false;
    }
    for (const char *word = options->dimensions; word;) {
        const size_t length = strcspn(word, ",");
        if (!is_dimension(word, length)) {
            usage_error(command, "--dim: \"%.*s\" is no NAME=SIZE, such as batch=8",
                        length < 100 ? (int)length : 100, word);
            return false;
        }
        word = word[length] == ',' ? word + length + 1 : NULL;
    }
    return true;
}
