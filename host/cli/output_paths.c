#include "cli/output_paths.h"

#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/console.h"
#include "regal/status.h"

bool is_folder(const char *path) {
    struct stat facts;
    const size_t length = strlen(path);
    return (length > 0 && path[length - 1] == '/') ||
           (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode));
}

bool is_stream(const char *path) {
    struct stat facts;
    return strcmp(path, "-") == 0 ||
           (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode));
}

static int failed(const char *path, const char *what) {
    console_error("%s: %s: %s", path, what, strerror(errno));
    return regal_status_exit_code(REGAL_OUTPUT_FAILED);
}

static int cannot_write(const char *path) {
    return failed(path, "cannot write");
}

int folder_make(const char *path) {
    struct stat facts;
    if (mkdir(path, 0777) == 0)
        return 0;
    if (errno != EEXIST || stat(path, &facts) != 0)
        return failed(path, "cannot make the folder");
    errno = ENOTDIR;
    if (!S_ISDIR(facts.st_mode) || access(path, W_OK | X_OK) != 0)
        return failed(path, "cannot write there");
    return 0;
}

int output_check(const char *path) {
    struct stat facts;
    if (!path || strcmp(path, "-") == 0)
        return 0;
    if (stat(path, &facts) == 0) {
        errno = EISDIR;
        if (S_ISDIR(facts.st_mode) || access(path, W_OK) != 0)
            return cannot_write(path);
        return 0;
    }
    char *folder = strdup(path);
    if (!folder)
        return cannot_write(path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    const int code = access(slash ? folder : ".", W_OK | X_OK) == 0 ? 0 : cannot_write(path);
    free(folder);
    return code;
}

static bool is_standard(const char *path) {
    return path && strcmp(path, "-") == 0;
}

FILE *results_stream(const char *output, const char *trace, const char *report) {
    return is_standard(output) || is_standard(trace) || is_standard(report) ? stderr : stdout;
}

/* A taken name and the number to try next for the graphs that would have it too. */
typedef struct taken_name {
    char *name;
    int64_t next;
} taken_name;

static int compare_names(const void *a, const void *b) {
    return strcmp(((const taken_name *)a)->name, ((const taken_name *)b)->name);
}

static void free_taken(void *node) {
    free(node);
}

static char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *from = slash ? slash + 1 : path;
    if (strcmp(path, "-") == 0 || *from == '\0')
        return strdup("graph");
    const char *dot = strrchr(from, '.');
    return strndup(from, dot && dot != from ? (size_t)(dot - from) : strlen(from));
}

static taken_name *find_name(void *const *tree, char *name) {
    const taken_name key = {name, 0};
    void *found = tfind(&key, tree, compare_names);
    return found ? *(taken_name **)found : NULL;
}

static bool take_name(void **tree, char *name) {
    taken_name *taken = malloc(sizeof *taken);
    if (!taken)
        return false;
    *taken = (taken_name){name, 2};
    if (tsearch(taken, tree, compare_names))
        return true;
    free(taken);
    return false;
}

/* The name made unique; takes it over. */
static char *unique_name(void **tree, char *name) {
    taken_name *taken = name ? find_name(tree, name) : NULL;
    if (taken) {
        char *numbered = NULL;
        do {
            free(numbered);
            if (asprintf(&numbered, "%s-%" PRId64, name, taken->next++) < 0)
                numbered = NULL;
        } while (numbered && find_name(tree, numbered));
        free(name);
        name = numbered;
    }
    if (name && take_name(tree, name))
        return name;
    free(name);
    return NULL;
}

char **output_names_create(char *const *paths, int64_t count) {
    void *tree = NULL;
    char **names = calloc((size_t)count + 1, sizeof *names);
    bool complete = names != NULL;
    for (int64_t i = 0; complete && i < count; i++) {
        names[i] = unique_name(&tree, base_name(paths[i]));
        complete = names[i] != NULL;
    }
    tdestroy(tree, free_taken);
    if (complete)
        return names;
    output_names_free(names, count);
    return NULL;
}

void output_names_free(char **names, int64_t count) {
    for (int64_t i = 0; names && i < count; i++)
        free(names[i]);
    free(names);
}

const char *path_separator(const char *folder) {
    const size_t length = strlen(folder);
    return length > 0 && folder[length - 1] == '/' ? "" : "/";
}

char *output_path_join(const char *folder, const char *name, const char *suffix) {
    char *path;
    if (asprintf(&path, "%s%s%s.%s", folder, path_separator(folder), name, suffix) < 0)
        return NULL;
    return path;
}
