/* TensorFlow's CostGraphDef, text and binary. */
#include "base/error.h"
#include "io/reader.h"
#include "io/tensorflow/cost_graph_map.h"
#include "io/tensorflow/tensorflow_module.h"

static bool is_word_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Past white space and # comments, the only ones that the text form has. */
static size_t skip_space(const char *data, size_t size, size_t i) {
    for (; i < size && (is_blank(data[i]) || data[i] == '#'); ++i)
        if (data[i] == '#')
            while (i + 1 < size && data[i] != '\n')
                ++i;
    return i;
}

/* The text form starts with a field: a word and then ":", "{" or "<". */
static bool is_text(const char *data, size_t size) {
    if (regal_is_binary_cost_graph(data, size))
        return false;
    size_t i = skip_space(data, size, 0);
    const size_t word = i;
    while (i < size && is_word_byte(data[i]))
        ++i;
    if (i == word)
        return i == size;
    i = skip_space(data, size, i);
    return i < size && (data[i] == ':' || data[i] == '{' || data[i] == '<');
}

regal_status regal_read_cost_graph(const char *data, size_t size, const char *name,
                                   const regal_read_options *options, regal_graph **graph) {
    (void)options; /* the file has costs of its own */
    *graph = NULL;
    const regal_tensorflow_module *module;
    REGAL_FORWARD(regal_tensorflow_load(&module));
    regal_cost_graph *source;
    regal_status status = module->cost_graph_parse(data, size, is_text(data, size),
                                                   regal_tensorflow_notice, (void *)name, &source);
    REGAL_FORWARD(status);
    status = regal_cost_graph_map(module, source, name, graph);
    module->cost_graph_destroy(source);
    return status == REGAL_OK ? status : regal_error_prefix(status, "%s", name);
}
