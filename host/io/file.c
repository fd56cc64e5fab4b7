#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "regal/io.h"

enum {
    FIRST_ROOM = 1 << 16,
    GREATEST_CALL = 1 << 30,
    STREAM_CALL = 1 << 24,
    WAIT_MILLISECONDS = 50
};

const char *regal_file_label(const char *path) {
    return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

/* More than half of the memory cannot be read and parsed: an endless pipe ends here, not in the
 * hands of the system's out-of-memory killer. */
static size_t greatest_size(void) {
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
    if (pages <= 0 || page <= 0)
        return PTRDIFF_MAX / 2;
    return (size_t)pages / 2 * (size_t)page;
}

typedef struct growing {
    char *data;
    size_t size, room;
} growing;

static regal_status make_room(growing *content, const char *label) {
    const size_t limit = greatest_size();
    const size_t twice = content->room == 0 ? FIRST_ROOM : content->room * 2;
    const size_t wanted = twice < limit ? twice : limit + 2;
    REGAL_FAIL_IF(content->size >= limit, REGAL_INVALID_INPUT,
                  "%s: too large: more than %zu MB cannot be held in memory here", label,
                  limit / 1000000);
    char *grown = realloc(content->data, wanted);
    REGAL_FAIL_IF(grown == NULL, REGAL_OUT_OF_MEMORY, "%s: too large: memory ran out at %zu MB",
                  label, content->size / 1000000);
    content->data = grown;
    content->room = wanted;
    return REGAL_OK;
}

/* Starts with room for a file of known size, so that it is read in one go. */
static regal_status expect_size(growing *content, off_t size, const char *label) {
    if (size <= 0)
        return REGAL_OK;
    const size_t limit = greatest_size();
    REGAL_FAIL_IF((uintmax_t)size > limit, REGAL_INVALID_INPUT,
                  "%s: too large: %lld MB, of which %zu MB can be held in memory here", label,
                  (long long)(size / 1000000), limit / 1000000);
    content->room = (size_t)size / 2 + 2;
    return make_room(content, label);
}

/* ---- what a file can be */

static _Atomic(regal_reading_stop *) stop_reading;

void regal_reading_stop_when(regal_reading_stop *stop) {
    atomic_store(&stop_reading, stop);
}

static bool is_to_stop(void) {
    regal_reading_stop *stop = atomic_load(&stop_reading);
    return stop != NULL && stop();
}

/* A device has no end that could be waited for, but for a terminal's. */
static regal_status check_kind(int file, const struct stat *about, const char *label) {
    REGAL_FAIL_IF(S_ISDIR(about->st_mode), REGAL_INVALID_INPUT,
                  "%s: is a folder; a file is expected", label);
    REGAL_FAIL_IF(S_ISBLK(about->st_mode) || (S_ISCHR(about->st_mode) && isatty(file) == 0),
                  REGAL_INVALID_INPUT, "%s: is a device; a file or a pipe is expected", label);
    return REGAL_OK;
}

/* Waits until there is something to read, or the end. */
static regal_status wait_for_input(int file, const char *label) {
    struct pollfd input = {.fd = file, .events = POLLIN};
    for (;;) {
        REGAL_FAIL_IF(is_to_stop(), REGAL_INTERRUPTED, "%s: interrupted while it was read", label);
        const int ready = poll(&input, 1, WAIT_MILLISECONDS);
        REGAL_FAIL_IF(ready < 0 && errno != EINTR, REGAL_INVALID_INPUT, "%s: cannot read: %s",
                      label, strerror(errno));
        if (ready > 0)
            return REGAL_OK;
    }
}

regal_status regal_file_check_regular(const char *path) {
    struct stat about;
    REGAL_FAIL_IF(strcmp(path, "-") == 0 || (stat(path, &about) == 0 && !S_ISREG(about.st_mode)),
                  REGAL_INVALID_ARGUMENT,
                  "%s: is no regular file, and has to be one",
                  regal_file_label(path));
    return REGAL_OK;
}

/* ---- the content */

static regal_status read_all(int file, const char *label, growing *content) {
    struct stat about;
    REGAL_FAIL_IF(fstat(file, &about) != 0, REGAL_INVALID_INPUT, "%s: cannot read: %s", label,
                  strerror(errno));
    REGAL_FORWARD(check_kind(file, &about, label));
    const bool whole = S_ISREG(about.st_mode) && about.st_size > 0;
    const size_t most = whole ? GREATEST_CALL : STREAM_CALL;
    if (whole)
        REGAL_FORWARD(expect_size(content, about.st_size, label));
    for (;;) {
        if (content->room - content->size < 2)
            REGAL_FORWARD(make_room(content, label));
        if (!whole)
            REGAL_FORWARD(wait_for_input(file, label));
        const size_t left = content->room - content->size - 1;
        const ssize_t count = read(file, content->data + content->size, left < most ? left : most);
        if (count < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        REGAL_FAIL_IF(count < 0, REGAL_INVALID_INPUT, "%s: cannot read: %s", label,
                      strerror(errno));
        if (count == 0)
            break;
        content->size += (size_t)count;
    }
    content->data[content->size] = '\0';
    return REGAL_OK;
}

/* A pipe is opened at once, to wait for its other end where waiting can be given up. */
static int open_input(const char *path) {
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

regal_status regal_file_read(const char *path, char **data, size_t *size) {
    const char *label = regal_file_label(path);
    const int file = label == path ? open_input(path) : STDIN_FILENO;
    *data = NULL;
    *size = 0;
    REGAL_FAIL_IF(file < 0, REGAL_INVALID_INPUT, "%s: cannot open: %s", label, strerror(errno));
    growing content = {0};
    const regal_status status = read_all(file, label, &content);
    if (label == path)
        close(file);
    if (status != REGAL_OK) {
        free(content.data);
        return status;
    }
    *data = content.data;
    *size = content.size;
    return REGAL_OK;
}
