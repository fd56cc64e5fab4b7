/* --plans: plans from elsewhere as rows of their own. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare_parts.h"
#include "cli/console.h"
#include "cli/output_paths.h"

static int no_memory(void) {
    return report_failure(NULL, own_memory_failure());
}

/* Takes path over. */
static int read_plan(char *path, const char *name, compare_plans *plans, compare_methods *methods) {
    compare_plan *items = reallocarray(plans->items, (size_t)plans->count + 1, sizeof *items);
    regal_plan *plan = NULL;
    if (!items) {
        free(path);
        return no_memory();
    }
    plans->items = items;
    console_warnings_about(path);
    const regal_status status = regal_plan_read(path, &plan);
    items[plans->count++] = (compare_plan){.path = path, .plan = plan};
    if (status != REGAL_OK)
        return report_failure(path, status);
    if (plan->graph_digest[0] == '\0') {
        console_error("%s: the plan does not tell of which graph it is", path);
        return regal_status_exit_code(REGAL_INVALID_INPUT);
    }
    const int64_t row = compare_methods_add_plans(methods, name);
    items[plans->count - 1].row = row;
    return row >= 0 ? 0 : no_memory();
}

static int is_plan_name(const struct dirent *entry) {
    const size_t length = strlen(entry->d_name);
    return entry->d_name[0] != '.' && length > 5 &&
           strcmp(entry->d_name + length - 5, ".json") == 0;
}

static int read_folder(const char *folder, const char *name, compare_plans *plans,
                       compare_methods *methods) {
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_plan_name, alphasort);
    int code = 0;
    if (count <= 0) {
        console_error("%s: no plans: the folder has no files that end in .json", folder);
        code = regal_status_exit_code(REGAL_INVALID_INPUT);
    }
    for (int i = 0; i < count; i++) {
        char *path = NULL;
        if (code == 0 &&
            asprintf(&path, "%s%s%s", folder, path_separator(folder), entries[i]->d_name) < 0)
            code = no_memory();
        else if (code == 0)
            code = read_plan(path, name, plans, methods);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return code;
}

/* "dir/exact.plan.json" -> "exact"; "dir/plans/" -> "plans". */
static char *name_of(const char *path) {
    char **names = output_names_create((char *const *)&path, 1);
    char *name = names ? strdup(names[0]) : NULL;
    output_names_free(names, 1);
    const size_t length = name ? strlen(name) : 0;
    if (length > 5 && strcmp(name + length - 5, ".plan") == 0)
        name[length - 5] = '\0';
    return name;
}

/* "NAME=" in front says what the rows are called until the next one. */
static const char *split_name(char *word, char **given) {
    char *equals = strchr(word, '=');
    if (!equals || equals == word || memchr(word, '/', (size_t)(equals - word)))
        return word;
    *equals = '\0';
    *given = word;
    return equals + 1;
}

static int read_word(char *word, char **given, compare_plans *plans, compare_methods *methods) {
    const char *path = split_name(word, given);
    if (*path == '\0')
        return usage_error(COMMAND_COMPARE, "--plans: a file is missing");
    char *own = *given ? strdup(*given) : name_of(path);
    if (!own)
        return no_memory();
    int code;
    if (is_folder(path)) {
        code = read_folder(path, own, plans, methods);
    } else {
        char *copy = strdup(path);
        code = copy ? read_plan(copy, own, plans, methods) : no_memory();
    }
    free(own);
    return code;
}

int compare_plans_read(const char *words, compare_plans *plans, compare_methods *methods) {
    if (!words)
        return 0;
    char *copy = strdup(words), *rest = copy, *word, *given = NULL;
    int code = copy ? 0 : no_memory();
    while (code == 0 && (word = strsep(&rest, ",")) != NULL)
        code = read_word(word, &given, plans, methods);
    free(copy);
    return code;
}

static bool links_are_equal(regal_link a, regal_link b) {
    return a.latency == b.latency && a.bytes_per_1000_ticks == b.bytes_per_1000_ticks;
}

/* Caps say nothing of when things happen. */
bool compare_plan_fits(const regal_plan *plan, const char *digest, const regal_cluster *cluster) {
    const int64_t count = regal_cluster_device_count(cluster);
    if (strcmp(plan->graph_digest, digest) != 0 || plan->device_count != count ||
        (plan->cluster && regal_cluster_device_count(plan->cluster) != count))
        return false;
    for (int64_t from = 0; plan->cluster && from < count; from++)
        for (int64_t to = 0; to < count; to++)
            if (from != to && !links_are_equal(regal_cluster_link(cluster, from, to, NULL),
                                               regal_cluster_link(plan->cluster, from, to, NULL)))
                return false;
    return true;
}

static bool are_read_alike(const regal_plan *a, const regal_plan *b) {
    if (a->option_count != b->option_count)
        return false;
    for (int64_t i = 0; i < a->option_count; i++)
        if (strcmp(a->option_keys[i], b->option_keys[i]) != 0 ||
            strcmp(a->option_values[i], b->option_values[i]) != 0)
            return false;
    return true;
}

const regal_plan *compare_plans_example(const compare_plans *plans) {
    for (int64_t i = 1; i < plans->count; i++)
        if (!are_read_alike(plans->items[0].plan, plans->items[i].plan))
            return NULL;
    return plans->count > 0 ? plans->items[0].plan : NULL;
}

void compare_plans_clear(compare_plans *plans) {
    for (int64_t i = 0; i < plans->count; i++) {
        free(plans->items[i].path);
        regal_plan_destroy(plans->items[i].plan);
    }
    free(plans->items);
    *plans = (compare_plans){0};
}
