#include "cli/console.h"

#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/plain_text.h"
#include "regal/regal.h"

enum { MOST_WARNINGS = 20, STANDARD_WIDTH = 80, STATUS_TEXT = 1024 };

static struct {
    pthread_mutex_t lock;
    bool quiet, live, colour, blocks, has_status;
} console = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Asked of a locale of its own: the program prints numbers as in C. */
static bool locale_is_utf8(void) {
    const locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (locale == (locale_t)0)
        return false;
    const bool is = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    freelocale(locale);
    return is;
}

void console_open(void) {
    const char *terminal = getenv("TERM");
    const char *no_colour = getenv("NO_COLOR");
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
    console.live =
        isatty(STDERR_FILENO) && terminal && *terminal != '\0' && strcmp(terminal, "dumb") != 0;
    console.colour = console.live && (!no_colour || *no_colour == '\0');
    console.blocks = console.live && locale_is_utf8();
}

void console_hush(void) {
    console.quiet = true;
}

bool console_is_quiet(void) {
    return console.quiet;
}
bool console_is_live(void) {
    return console.live;
}
bool console_has_colour(void) {
    return console.colour;
}
bool console_has_blocks(void) {
    return console.blocks;
}

size_t console_width(void) {
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return STANDARD_WIDTH;
}

/* The cursor waits at the line's first column. Should the terminal be made narrower and break the
 * line, it stands above all of its parts, and what is below it is all that has to go. */
static void erase_status(void) {
    if (console.has_status)
        fputs("\r\033[J", stderr);
    console.has_status = false;
}

static void print_line(const char *prefix, const char *format, va_list arguments) {
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    if (text)
        plain_text_make(text);
    pthread_mutex_lock(&console.lock);
    erase_status();
    fprintf(stderr, "%s%s\n", prefix, text ? text : "memory ran out");
    pthread_mutex_unlock(&console.lock);
    free(text);
}

void console_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line("regal: ", format, arguments);
    va_end(arguments);
}

void console_note(const char *format, ...) {
    if (console.quiet)
        return;
    va_list arguments;
    va_start(arguments, format);
    print_line("regal: ", format, arguments);
    va_end(arguments);
}

void console_plain(const char *format, ...) {
    if (console.quiet)
        return;
    va_list arguments;
    va_start(arguments, format);
    print_line("", format, arguments);
    va_end(arguments);
}

void console_status(const char *text) {
    console_status_after("", 0, text);
}

void console_status_after(const char *lead, size_t lead_columns, const char *text) {
    if (!console.live || console.quiet)
        return;
    char line[STATUS_TEXT];
    const size_t columns = console_width() - 1; /* a full line would take the cursor with it */
    snprintf(line, sizeof line, "%s", text);
    plain_text_make(line);
    plain_text_clip(line, lead_columns < columns ? columns - lead_columns : 0);
    pthread_mutex_lock(&console.lock);
    fprintf(stderr, "\r%s%s\033[J\r", lead_columns <= columns ? lead : "", line);
    fflush(stderr);
    console.has_status = true;
    pthread_mutex_unlock(&console.lock);
}

void console_status_end(void) {
    pthread_mutex_lock(&console.lock);
    erase_status();
    fflush(stderr);
    pthread_mutex_unlock(&console.lock);
}

/* How the library's messages name standard input. */
static const char *label_of(const char *path) {
    return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

/* Control characters of the name are question marks in messages. */
static bool begins_with_name(const char *message, const char *name) {
    size_t i = 0;
    while (name[i] != '\0' &&
           (message[i] == name[i] ||
            (message[i] == '?' && ((unsigned char)name[i] < ' ' || name[i] == 0x7f))))
        i++;
    return name[i] == '\0' && message[i] == ':';
}

/* Messages of readers begin with the file, those of later stages do not. */
bool message_names_file(const char *message, const char *path) {
    return begins_with_name(message, label_of(path)) ||
           (strcmp(path, "-") == 0 && begins_with_name(message, "<stdout>"));
}

static _Thread_local int warning_count;
static _Thread_local char last_warning[256];

static void on_warning(const char *message, void *context) {
    const char *path = context;
    if (warning_count > 0 && strncmp(message, last_warning, sizeof last_warning - 1) == 0)
        return; /* one of many searches says what one has said */
    snprintf(last_warning, sizeof last_warning, "%s", message);
    if (++warning_count > MOST_WARNINGS)
        return;
    if (warning_count == MOST_WARNINGS)
        console_note("warning: %s: more warnings, not shown", label_of(path));
    else if (message_names_file(message, path))
        console_note("warning: %s", message);
    else
        console_note("warning: %s: %s", label_of(path), message);
}

void console_warn(const char *path, const char *message) {
    on_warning(message, (void *)path);
}

void console_warnings_about(const char *path) {
    warning_count = 0;
    regal_warning_handler_set(on_warning, (void *)path);
}

static _Thread_local bool own_failure;

regal_status own_memory_failure(void) {
    own_failure = true;
    return REGAL_OUT_OF_MEMORY;
}

char *failure_text(const char *path, regal_status status) {
    const char *message = own_failure ? "memory ran out" : regal_error_message();
    own_failure = false;
    const bool prefixed = path && !message_names_file(message, path);
    const bool internal = status == REGAL_INTERNAL;
    char *text;
    if (asprintf(&text, "%s%s%s%s%s%s", prefixed ? label_of(path) : "", prefixed ? ": " : "",
                 message, internal ? " (" : "", internal ? regal_error_location() : "",
                 internal ? "): a fault in regal, please report it" : "") < 0)
        return NULL;
    return text;
}

int report_failure(const char *path, regal_status status) {
    char *text = failure_text(path, status);
    console_error("%s", text ? text : "memory ran out");
    free(text);
    return regal_status_exit_code(status);
}
