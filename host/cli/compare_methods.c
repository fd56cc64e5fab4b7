/* --methods: which rows a comparison has. */
#include <stdlib.h>
#include <string.h>

#include "cli/compare_parts.h"
#include "cli/console.h"

/* Words for many, before the methods' own: X(word, condition, line). */
#define GROUP_LIST(X)                                                           \
    X("standard", info.standard, "what is run unless --methods says otherwise") \
    X("classical", !info.searches, "all that only build a plan")                \
    X("all", true, "everything, also what takes long")

static bool add_row(compare_methods *methods, int64_t method, const char *word, const char *name) {
    compare_method *items = reallocarray(methods->items, (size_t)methods->count + 1, sizeof *items);
    if (!items)
        return false;
    methods->items = items;
    compare_method *item = &items[methods->count];
    *item = (compare_method){method, strdup(word), strdup(name)};
    methods->count++;
    return item->word && item->name;
}

static bool add_method(compare_methods *methods, int64_t method) {
    regal_method_info info;
    for (int64_t i = 0; i < methods->count; i++)
        if (methods->items[i].method == method)
            return true;
    return regal_method_describe(method, &info) && add_row(methods, method, info.word, info.name);
}

static int no_memory(void) {
    return report_failure(NULL, own_memory_failure());
}

/* All methods of a group; false: it is none. */
static bool add_group(const char *word, compare_methods *methods, int *code) {
    regal_method_info info;
#define ADD_GROUP(group, condition, line)                             \
    if (strcmp(word, group) == 0) {                                   \
        for (int64_t i = 0; regal_method_describe(i, &info); i++)     \
            if ((condition) && *code == 0 && !add_method(methods, i)) \
                *code = no_memory();                                  \
        return true;                                                  \
    }
    GROUP_LIST(ADD_GROUP)
#undef ADD_GROUP
    return false;
}

/* Groups, then methods. */
static const char *candidate(size_t index, void *context) {
    static const char *const groups[] = {
#define GROUP_WORD(word, condition, line) word,
        GROUP_LIST(GROUP_WORD)
#undef GROUP_WORD
            "list"};
    const size_t count = sizeof groups / sizeof *groups;
    regal_method_info info;
    (void)context;
    if (index < count)
        return groups[index];
    return regal_method_describe((int64_t)(index - count), &info) ? info.word : NULL;
}

static int add_word(const char *word, compare_methods *methods) {
    int code = 0;
    if (add_group(word, methods, &code))
        return code;
    const int64_t method = regal_method_find(word);
    if (method >= 0)
        return add_method(methods, method) ? 0 : no_memory();
    const char *near = regal_nearest_word(word, candidate, NULL);
    if (near)
        return usage_error(COMMAND_COMPARE, "--methods: there is no \"%.100s\": did you mean %s?",
                           word, near);
    return usage_error(
        COMMAND_COMPARE,
        "--methods: there is no \"%.100s\"; `regal compare --methods list` tells what "
        "there is",
        word);
}

int compare_methods_choose(const char *words, compare_methods *methods) {
    char *copy = strdup(words ? words : "standard"), *rest = copy, *word;
    int code = copy ? 0 : no_memory();
    while (code == 0 && (word = strsep(&rest, ",")) != NULL)
        code = add_word(word, methods);
    free(copy);
    return code;
}

int64_t compare_methods_add_plans(compare_methods *methods, const char *name) {
    for (int64_t i = 0; i < methods->count; i++)
        if (methods->items[i].method < 0 && strcmp(methods->items[i].name, name) == 0)
            return i;
    return add_row(methods, -1, name, name) ? methods->count - 1 : -1;
}

int64_t compare_methods_find(const compare_methods *methods, const char *word) {
    for (int64_t i = 0; i < methods->count; i++)
        if (strcmp(methods->items[i].word, word) == 0)
            return i;
    return -1;
}

void compare_methods_clear(compare_methods *methods) {
    for (int64_t i = 0; i < methods->count; i++) {
        free(methods->items[i].word);
        free(methods->items[i].name);
    }
    free(methods->items);
    *methods = (compare_methods){0};
}

static void print_part(FILE *file, const char *title, bool searches, bool standard) {
    regal_method_info info;
    bool first = true;
    for (int64_t i = 0; regal_method_describe(i, &info); i++) {
        if (info.searches != searches || info.standard != standard)
            continue;
        fprintf(file, "%s%-16s  %s\n", first ? title : "", info.word, info.line);
        first = false;
    }
}

void compare_methods_print(FILE *file) {
    print_part(file, "Classical methods\n", false, true);
    print_part(file, "\nSearches\n", true, true);
    print_part(file, "\nOnly when named\n", true, false);
    fputs("\nMany at once\n", file);
#define PRINT_GROUP(word, condition, line) fprintf(file, "%-16s  %s\n", word, line);
    GROUP_LIST(PRINT_GROUP)
#undef PRINT_GROUP
}
