/* Colocation: the attribute _class names nodes ("loc:@x") that a node shares its device with. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/tensorflow/graph_def.h"

typedef struct grouping {
    gd_file *file;
    int64_t *parent;          /* [nodes + loops] */
    regal_name_table classes; /* names that no node has */
} grouping;

static int64_t find(int64_t *parent, int64_t item) {
    while (parent[item] != item) {
        parent[item] = parent[parent[item]];
        item = parent[item];
    }
    return item;
}

static void join(int64_t *parent, int64_t a, int64_t b) {
    a = find(parent, a);
    b = find(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/* A node in a loop stands for the loop. */
static int64_t item_of(const gd_file *file, int64_t node) {
    return file->frame[node] >= 0 ? file->main.count + file->frame[node] : node;
}

static regal_status join_class(grouping *at, int64_t node, regal_tf_text text) {
    static const char mark[] = "loc:@";
    const size_t skip = sizeof mark - 1;
    if (text.size <= skip || memcmp(text.data, mark, skip) != 0)
        return REGAL_OK;
    const char *name;
    REGAL_FORWARD(gd_copy_text(at->file, (regal_tf_text){text.data + skip, text.size - skip},
                               "the attribute _class", &name));
    const int64_t other = regal_name_table_find(&at->file->main.names, name);
    const int64_t own = item_of(at->file, node);
    join(at->parent, own,
         other >= 0 ? item_of(at->file, other) : regal_name_table_add(&at->classes, name, own));
    return REGAL_OK;
}

static int64_t class_count(const gd_file *file) {
    int64_t count = 0;
    for (int64_t i = 0; i < file->main.count; ++i) {
        regal_tf_attribute view;
        file->module->attribute(file->main.nodes[i].handle, "_class", &view);
        count += view.string_count;
    }
    return count;
}

static regal_status group(grouping *at, int64_t *groups) {
    const gd_file *file = at->file;
    const int64_t items = file->main.count + file->frame_count;
    for (int64_t i = 0; i < items; ++i)
        at->parent[i] = i;
    for (int64_t i = 0; i < file->main.count; ++i) {
        regal_tf_attribute view;
        const void *found = file->module->attribute(file->main.nodes[i].handle, "_class", &view);
        for (int64_t k = 0; k < view.string_count; ++k)
            REGAL_FORWARD(join_class(at, i, file->module->string(found, k)));
    }
    for (int64_t i = 0; i < items; ++i)
        groups[i] = -1;
    for (int64_t i = 0; i < items; ++i) {
        const int64_t root = find(at->parent, i);
        if (root != i)
            groups[i] = groups[root] = root;
    }
    return REGAL_OK;
}

regal_status gd_groups_find(gd_file *file, int64_t *groups) {
    grouping at = {.file = file};
    at.parent = regal_allocate(file->main.count + file->frame_count, sizeof *at.parent);
    regal_status status =
        at.parent != NULL && regal_name_table_create(&at.classes, class_count(file))
            ? group(&at, groups)
            : regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    free(at.parent);
    regal_name_table_destroy(&at.classes);
    return status;
}
