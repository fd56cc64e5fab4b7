#include <stdlib.h>

#include "base/memory.h"
#include "io/onnx/onnx_writing.h"

/* A binary heap of nodes, the smallest (key, number) on top. */
typedef struct heap {
    const int64_t *keys;
    int64_t *items, count;
} heap;

static bool before(const heap *of, int64_t a, int64_t b) {
    return of->keys[a] != of->keys[b] ? of->keys[a] < of->keys[b] : a < b;
}

static void push(heap *of, int64_t node) {
    int64_t at = of->count++;
    for (; at > 0 && before(of, node, of->items[(at - 1) / 2]); at = (at - 1) / 2)
        of->items[at] = of->items[(at - 1) / 2];
    of->items[at] = node;
}

static int64_t pop(heap *of) {
    const int64_t top = of->items[0], last = of->items[--of->count];
    int64_t at = 0;
    for (;;) {
        int64_t child = 2 * at + 1;
        if (child + 1 < of->count && before(of, of->items[child + 1], of->items[child]))
            ++child;
        if (child >= of->count || !before(of, of->items[child], last))
            break;
        of->items[at] = of->items[child];
        at = child;
    }
    if (of->count > 0)
        of->items[at] = last;
    return top;
}

bool regal_onnx_order(const onnx_edges *edges, const int64_t *keys, int64_t *order,
                      int64_t *ordered) {
    heap ready = {.keys = keys, .items = regal_allocate(edges->count, sizeof *ready.items)};
    *ordered = 0;
    if (ready.items == NULL)
        return false;
    for (int64_t n = 0; n < edges->count; ++n)
        if (edges->missing[n] == 0)
            push(&ready, n);
    while (ready.count > 0) {
        const int64_t n = pop(&ready);
        order[(*ordered)++] = n;
        for (int64_t u = edges->begin[n]; u < edges->begin[n + 1]; ++u)
            if (--edges->missing[edges->user[u]] == 0)
                push(&ready, edges->user[u]);
    }
    free(ready.items);
    return true;
}
