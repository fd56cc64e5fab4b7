/* Recognizing a file's format by its content. */
#include <stdint.h>
#include <string.h>

#include "io/reader.h"

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '%';
}

static bool starts_with(const char *data, size_t size, size_t offset, const char *word) {
    const size_t length = strlen(word);
    return size - offset >= length && memcmp(data + offset, word, length) == 0;
}

/* The offset behind the next `end`, or size. */
static size_t skip_past(const char *data, size_t size, size_t offset, const char *end) {
    const char *found = memmem(data + offset, size - offset, end, strlen(end));
    return found != NULL ? (size_t)(found - data) + strlen(end) : size;
}

size_t regal_skip_blank(const char *data, size_t size, size_t offset) {
    while (offset < size) {
        if (is_space(data[offset]))
            ++offset;
        else if (data[offset] == '#' || starts_with(data, size, offset, "//"))
            offset = skip_past(data, size, offset, "\n");
        else if (starts_with(data, size, offset, "/*"))
            offset = skip_past(data, size, offset + 2, "*/");
        else
            break;
    }
    return offset;
}

static size_t skip_word(const char *data, size_t size, size_t offset) {
    while (offset < size && is_word(data[offset]))
        ++offset;
    return offset;
}

/* ---- protobuf, binary */

typedef struct bytes {
    const unsigned char *data;
    size_t size, at;
} bytes;

/* False where the number is cut off or longer than 64 bits. */
static bool read_varint(bytes *in, uint64_t *number) {
    *number = 0;
    for (int shift = 0; shift < 64 && in->at < in->size; shift += 7) {
        const unsigned char byte = in->data[in->at++];
        *number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

enum { VARINT = 0, LENGTH = 2 };                                  /* kinds */
enum { NODE = 1, COSTS = 2, NAME = 1, GREATEST_NODE_FIELD = 20 }; /* fields */

/* Whether the fields of a node lie here one behind the other. cut: the file ends within them. */
static bool are_node_fields(const char *data, size_t size, bool cut) {
    bytes in = {(const unsigned char *)data, size, 0};
    while (in.at < in.size) {
        uint64_t tag, value;
        if (!read_varint(&in, &tag))
            return cut && in.at == in.size;
        const uint64_t field = tag >> 3, kind = tag & 7;
        if (field < 1 || field > GREATEST_NODE_FIELD || (kind != VARINT && kind != LENGTH))
            return false;
        if (!read_varint(&in, &value))
            return cut && in.at == in.size;
        if (kind == LENGTH && value > in.size - in.at)
            return cut;
        if (kind == LENGTH)
            in.at += (size_t)value;
    }
    return true;
}

/* Whether there are bytes in the first few that no text has. */
static bool has_control_bytes(const char *data, size_t size) {
    for (size_t i = 0; i < size && i < 256; ++i)
        if ((unsigned char)data[i] < 0x20 && !is_space(data[i]))
            return true;
    return false;
}

/* Whether the whole file is nodes, each with its name first, and costs. No text keeps that up. */
static bool is_nodes_to_the_end(const char *data, size_t size) {
    bytes in = {(const unsigned char *)data, size, 0};
    while (in.at < in.size) {
        uint64_t tag, length;
        if (!read_varint(&in, &tag) || !read_varint(&in, &length) || length > in.size - in.at)
            return false;
        const char *part = data + in.at;
        const bool good =
            tag == (COSTS << 3 | LENGTH) ||
            (tag == (NODE << 3 | LENGTH) && length > 0 && part[0] == (NAME << 3 | LENGTH) &&
             are_node_fields(part, (size_t)length, false));
        if (!good)
            return false;
        in.at += (size_t)length;
    }
    return true;
}

/* A message whose first field is a node (field 1) made of node fields. Where the first node has a
 * long name its start may hold no byte that a text could not. */
bool regal_is_binary_cost_graph(const char *data, size_t size) {
    bytes in = {(const unsigned char *)data, size, 0};
    uint64_t tag, length;
    if (!read_varint(&in, &tag) || tag != (NODE << 3 | LENGTH) || !read_varint(&in, &length))
        return false;
    const size_t left = size - in.at;
    return are_node_fields(data + in.at, length < left ? (size_t)length : left, length > left) &&
           (has_control_bytes(data, size) || is_nodes_to_the_end(data, size));
}

/* The fields of a ModelProto from the first on, up to its graph or operator sets. */
bool regal_is_onnx(const char *data, size_t size) {
    enum { GRAPH = 7, OPERATOR_SETS = 8, GREATEST = 26 };
    static const unsigned VARINTS = 1u << 1 | 1u << 5;
    static const unsigned LENGTHS = 1u << 2 | 1u << 3 | 1u << 4 | 1u << 6 | 1u << GRAPH |
                                    1u << OPERATOR_SETS | 1u << 14 | 1u << 20 | 1u << 25 | 1u << 26;
    bytes in = {(const unsigned char *)data, size, 0};
    while (in.at < in.size) {
        uint64_t tag, value;
        if (!read_varint(&in, &tag) || tag >> 3 > GREATEST || !read_varint(&in, &value))
            return false;
        const unsigned field = (unsigned)(tag >> 3), kind = tag & 7;
        if (((kind == VARINT ? VARINTS : kind == LENGTH ? LENGTHS : 0) >> field & 1) == 0)
            return false;
        if (field == GRAPH || field == OPERATOR_SETS)
            return has_control_bytes(data, size);
        if (kind == LENGTH && value > in.size - in.at)
            return false;
        if (kind == LENGTH)
            in.at += (size_t)value;
    }
    return false;
}

/* ---- protobuf, text */

/* "node {" (or "node: {", "node <") and then a field of it or its end; "cost {" in the same way. An
 * HLO computation may be named "node" too: its instructions have "=" in place of ":". */
static bool is_text_nodes(const char *data, size_t size) {
    const size_t start = regal_skip_blank(data, size, 0);
    size_t at = skip_word(data, size, start);
    if (at - start != 4 ||
        (memcmp(data + start, "node", 4) != 0 && memcmp(data + start, "cost", 4) != 0))
        return false;
    at = regal_skip_blank(data, size, at);
    if (at < size && data[at] == ':')
        at = regal_skip_blank(data, size, at + 1);
    if (at >= size || (data[at] != '{' && data[at] != '<'))
        return at >= size;
    at = regal_skip_blank(data, size, at + 1);
    if (at < size && (data[at] == '}' || data[at] == '>'))
        return true;
    at = regal_skip_blank(data, size, skip_word(data, size, at));
    return at >= size || data[at] == ':' || data[at] == '{' || data[at] == '<';
}

/* ---- the recognizers */

bool regal_is_json(const char *data, size_t size) {
    const size_t at = regal_skip_blank(data, size, 0);
    return at < size && data[at] == '{' && !regal_is_binary_cost_graph(data, size) &&
           !regal_is_binary_graph_def(data, size);
}

bool regal_is_cost_graph(const char *data, size_t size) {
    return regal_is_binary_cost_graph(data, size) || is_text_nodes(data, size);
}

/* "HloModule", "ENTRY", or a computation: its name and then "{" or "(". */
bool regal_is_hlo(const char *data, size_t size) {
    const size_t start = regal_skip_blank(data, size, 0);
    const size_t end = skip_word(data, size, start);
    if (end == start || regal_is_binary_cost_graph(data, size) || is_text_nodes(data, size) ||
        regal_is_graph_def(data, size))
        return false;
    if (starts_with(data, size, start, "HloModule") || starts_with(data, size, start, "ENTRY"))
        return true;
    const size_t next = regal_skip_blank(data, size, end);
    return next < size && (data[next] == '{' || data[next] == '(');
}
