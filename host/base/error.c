#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_SIZE = 2048 };

static _Thread_local char error_message[MESSAGE_SIZE];
static _Thread_local const char *error_file = "";
static _Thread_local int error_line;
static _Thread_local char error_location[256];
static _Thread_local regal_warning_handler *warning_handler;
static _Thread_local void *warning_context;

/* Ends a message that was cut, or holds bytes that a terminal would act on, in a readable way. */
static void tidy(char *text, int written) {
    if (written >= MESSAGE_SIZE)
        memcpy(text + MESSAGE_SIZE - 4, "...", 4);
    for (char *c = text; *c != '\0'; ++c)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
}

regal_status regal_error_set(regal_status status, const char *file, int line, const char *format,
                             ...) {
    char text[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    const int written = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tidy(text, written);
    memcpy(error_message, text, sizeof text);
    const char *slash = strrchr(file, '/');
    error_file = slash != NULL ? slash + 1 : file;
    error_line = line;
    return status;
}

regal_status regal_error_prefix(regal_status status, const char *format, ...) {
    char text[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (written >= 0 && written < MESSAGE_SIZE)
        written += snprintf(text + written, sizeof text - (size_t)written, ": %s", error_message);
    tidy(text, written);
    memcpy(error_message, text, sizeof text);
    return status;
}

const char *regal_error_message(void) {
    return error_message;
}

const char *regal_error_location(void) {
    snprintf(error_location, sizeof error_location, "%s:%d", error_file, error_line);
    return error_location;
}

void regal_warning_handler_set(regal_warning_handler *handler, void *context) {
    warning_handler = handler;
    warning_context = context;
}

void regal_warn(const char *format, ...) {
    if (warning_handler == NULL)
        return;
    char text[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    const int written = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tidy(text, written);
    warning_handler(text, warning_context);
}
