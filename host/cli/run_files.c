#include "cli/run_files.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/console.h"

enum { GREATEST_LINKS = 40 };

/* A file that is there is its device and inode; one that is not is those of its folder and its name
 * in it. */
struct run_file {
    run_file_use use;
    char *path; /* as given */
    dev_t device;
    ino_t inode;
    char *name; /* NULL: the file is there */
};

/* What path links to, link by link, as a new string; the last may not be there. */
static char *follow_links(const char *path) {
    char *at = strdup(path);
    for (int i = 0; at && i < GREATEST_LINKS; i++) {
        char target[PATH_MAX];
        const ssize_t length = readlink(at, target, sizeof target - 1);
        if (length < 0)
            return at;
        target[length] = '\0';
        const char *slash = strrchr(at, '/');
        const size_t folder = target[0] == '/' || !slash ? 0 : (size_t)(slash - at) + 1;
        char *next = malloc(folder + (size_t)length + 1);
        if (next) {
            memcpy(next, at, folder);
            memcpy(next + folder, target, (size_t)length + 1);
        }
        free(at);
        at = next;
    }
    return at;
}

/* False where the file is of no concern: a device or a pipe, or nothing that can be made. */
static bool identify_missing(run_file *file, struct stat *facts) {
    char *target = follow_links(file->path);
    if (!target)
        return false;
    char *slash = strrchr(target, '/');
    file->name = strdup(slash ? slash + 1 : target);
    if (slash)
        slash[slash == target] = '\0';
    const bool known = file->name && *file->name != '\0' && stat(slash ? target : ".", facts) == 0;
    free(target);
    return known;
}

static bool identify(run_file *file) {
    struct stat facts;
    const bool stream = strcmp(file->path, "-") == 0;
    const int stream_file = file->use >= FILE_SEEDS ? STDIN_FILENO : STDOUT_FILENO;
    if ((stream ? fstat(stream_file, &facts) : stat(file->path, &facts)) == 0) {
        if (!S_ISREG(facts.st_mode))
            return false;
    } else if (stream || !identify_missing(file, &facts)) {
        return false;
    }
    file->device = facts.st_dev;
    file->inode = facts.st_ino;
    return true;
}

static void release(run_file *file) {
    free(file->path);
    free(file->name);
}

static bool make_room(run_files *list) {
    if (list->count < list->room)
        return true;
    const size_t room = list->room ? 2 * list->room : 16;
    run_file *files = reallocarray(list->files, room, sizeof *files);
    if (!files)
        return false;
    list->files = files;
    list->room = room;
    return true;
}

void run_files_add(run_files *list, run_file_use use, const char *path) {
    if (!path)
        return;
    run_file file = {.use = use, .path = strdup(path)};
    if (!file.path || !make_room(list)) {
        list->incomplete = true;
        release(&file);
    } else if (identify(&file)) {
        list->files[list->count++] = file;
    } else {
        release(&file);
    }
}

void run_files_add_options(run_files *list, const cli_options *options) {
    const char *seeds = options->search.seeds, *proposals = options->search.proposals;
    const char *policy = options->search.policy, *dump = options->search.dump_proposals;
    run_files_add(list, FILE_INPUT, options->cluster);
    run_files_add(list, FILE_INPUT, options->costs);
    if (strcmp(seeds, "none") != 0 && strcmp(seeds, "heuristic") != 0)
        /* In a batch later graphs read the seeds after earlier plans were written. */
        run_files_add(list, options->argument_count > 1 ? FILE_INPUT : FILE_SEEDS, seeds);
    if (*proposals != '\0')
        run_files_add(list, FILE_INPUT, proposals);
    if (strcmp(policy, "auto") != 0 && strcmp(policy, "none") != 0)
        run_files_add(list, FILE_INPUT, policy);
    if (*dump != '\0')
        run_files_add(list, FILE_RESULT, dump);
}

/* Same files side by side, the written ones first. */
static int compare_places(const run_file *a, const run_file *b) {
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    if (a->inode != b->inode)
        return a->inode < b->inode ? -1 : 1;
    if (!a->name || !b->name)
        return (a->name != NULL) - (b->name != NULL);
    return strcmp(a->name, b->name);
}

static int compare_files(const void *a, const void *b) {
    const run_file *left = a, *right = b;
    const int places = compare_places(left, right);
    return places != 0 ? places : (int)left->use - (int)right->use;
}

static int refuse(command_id command, const run_file *written, const run_file *other) {
    if (other->use >= FILE_SEEDS)
        return usage_error(command, "%.400s would be written over the input %.400s", written->path,
                           other->path);
    return usage_error(command, "two results cannot go to one file: %.400s and %.400s",
                       written->path, other->path);
}

static int find_conflict(const run_files *list, command_id command) {
    const run_file *first = list->files;
    for (size_t i = 1; i < list->count; i++) {
        const run_file *file = &list->files[i];
        if (compare_places(first, file) != 0)
            first = file;
        else if (first->use < FILE_SEEDS && !(first->use == FILE_PLAN && file->use == FILE_SEEDS))
            return refuse(command, first, file);
    }
    return 0;
}

int run_files_check(run_files *list, command_id command) {
    if (list->count > 0)
        qsort(list->files, list->count, sizeof *list->files, compare_files);
    const int code = list->incomplete ? report_failure(NULL, own_memory_failure())
                                      : find_conflict(list, command);
    for (size_t i = 0; i < list->count; i++)
        release(&list->files[i]);
    free(list->files);
    *list = (run_files){0};
    return code;
}
