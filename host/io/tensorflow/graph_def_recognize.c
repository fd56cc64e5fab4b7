/* GraphDef, MetaGraphDef and SavedModel, text and binary, told from each other and from
 * CostGraphDef by their content. */
#include <string.h>

#include "io/reader.h"
#include "io/tensorflow/graph_def.h"

/* ---- binary: the fields of a message, one by one */

typedef struct fields {
    const unsigned char *data;
    size_t size, at;
    bool cut; /* the message goes on beyond the end of the file */
    int64_t field, kind;
    const unsigned char *content; /* of kind LENGTH */
    size_t length;
    bool content_cut;
} fields;

enum { VARINT = 0, FIXED64 = 1, LENGTH = 2, FIXED32 = 5, GREATEST_FIELD = (1 << 29) - 1 };

typedef enum step { FIELD, END, BROKEN } step;

static bool read_varint(fields *in, uint64_t *number) {
    *number = 0;
    for (int shift = 0; shift < 64 && in->at < in->size; shift += 7) {
        const unsigned char byte = in->data[in->at++];
        *number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static step cut_off(const fields *in) {
    return in->cut && in->at == in->size ? END : BROKEN;
}

static step next(fields *in) {
    uint64_t tag, value = 0;
    if (in->at == in->size)
        return END;
    if (!read_varint(in, &tag))
        return cut_off(in);
    in->field = (int64_t)(tag >> 3);
    in->kind = (int64_t)(tag & 7);
    if (in->field < 1 || in->field > GREATEST_FIELD)
        return BROKEN;
    if (in->kind == VARINT || in->kind == LENGTH) {
        if (!read_varint(in, &value))
            return cut_off(in);
    } else if (in->kind == FIXED32 || in->kind == FIXED64) {
        value = in->kind == FIXED32 ? 4 : 8;
    } else {
        return BROKEN;
    }
    if (in->kind == VARINT)
        return FIELD;
    const size_t left = in->size - in->at;
    in->content_cut = value > left;
    if (in->content_cut && !in->cut)
        return BROKEN;
    in->content = in->data + in->at;
    in->length = in->content_cut ? left : (size_t)value;
    in->at += in->length;
    return FIELD;
}

static fields whole(const char *data, size_t size) {
    return (fields){.data = (const unsigned char *)data, .size = size, .cut = true};
}

static fields within(const fields *in) {
    return (fields){.data = in->content, .size = in->length, .cut = in->content_cut};
}

static bool is_name_byte(unsigned char c) {
    return c > 0x20 && c != 0x7f;
}

static bool is_name(const fields *in) {
    for (size_t i = 0; i < in->length; ++i)
        if (!is_name_byte(in->content[i]))
            return false;
    return true;
}

typedef enum verdict { NO, MAYBE, YES } verdict;

/* What the fields of a node say: GraphDef's has an op (field 2, where a CostGraphDef has a device),
 * inputs as text (3, there a number), a device as text and attributes by name (4 and 5, there
 * messages that begin with numbers). */
static verdict judge_node(fields in) {
    verdict found = MAYBE;
    bool has_name = false;
    step at;
    while ((at = next(&in)) == FIELD) {
        const unsigned char first = in.kind == LENGTH && in.length > 0 ? in.content[0] : 0;
        if (in.field > 7 && found == YES)
            continue; /* of a later version */
        if (in.kind != LENGTH || in.field > 7)
            return NO;
        has_name |= in.field == 1;
        if ((in.field <= 4) && !is_name(&in))
            return NO;
        if (in.field == 2 && (first == '/' || in.length == 0))
            found = found == YES ? YES : MAYBE;
        else if (in.field == 2 || in.field == 3 || (in.field == 4 && in.length > 0))
            found = YES;
        if (in.field == 5 && in.length > 0) {
            if (first != 0x0a)
                return NO;
            found = YES;
        }
    }
    return at == END && has_name ? found : NO;
}

/* A function is a signature (field 1, a message that begins with a name) and no field 2. */
static verdict judge_graph(fields in) {
    verdict found = MAYBE;
    step at;
    while ((at = next(&in)) == FIELD && found == MAYBE) {
        if (in.field == 1 && in.kind == LENGTH)
            found = judge_node(within(&in));
        else if (in.field == 4 && in.kind == LENGTH)
            found = YES; /* versions, which a CostGraphDef has not */
        else if (in.field > 5 || (in.field == 3) != (in.kind == VARINT))
            return NO;
        else if (in.field == 2 && in.length > 0 && in.content[0] != 0x0a)
            return NO; /* a cost, not a library */
    }
    return found == YES ? YES : at == BROKEN ? NO : found;
}

/* Its graph is field 2. */
static verdict judge_meta(fields in) {
    step at;
    while ((at = next(&in)) == FIELD) {
        if (in.kind != LENGTH || in.field > 7)
            return NO;
        if (in.field == 2)
            return judge_graph(within(&in)) == YES ? YES : NO;
        if (in.field > 2)
            return NO;
    }
    return NO;
}

static verdict judge_saved(fields in) {
    step at;
    while ((at = next(&in)) == FIELD) {
        if (in.field == 2 && in.kind == LENGTH)
            return judge_meta(within(&in));
        if (in.field != 1 || in.kind != VARINT)
            return NO;
    }
    return NO;
}

/* No text has these bytes at its start; a short file may have none. */
static regal_graph_def_form binary_form(const char *data, size_t size) {
    if (size == 0 || (data[0] != 0x0a && data[0] != 0x12 && data[0] != 0x08 && data[0] != 0x22))
        return REGAL_GRAPH_DEF_NONE;
    if (judge_saved(whole(data, size)) == YES)
        return REGAL_GRAPH_DEF_SAVED;
    if (judge_meta(whole(data, size)) == YES)
        return REGAL_GRAPH_DEF_META;
    return judge_graph(whole(data, size)) == YES ? REGAL_GRAPH_DEF_GRAPH : REGAL_GRAPH_DEF_NONE;
}

/* ---- text */

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The offset behind a string in quotes, or size. */
static size_t skip_string(const char *data, size_t size, size_t offset) {
    const char quote = data[offset++];
    while (offset < size && data[offset] != quote)
        offset += data[offset] == '\\' ? 2 : 1;
    return offset < size ? offset + 1 : size;
}

static bool is_one_of(const char *word, size_t length, const char *const *list) {
    for (; *list != NULL; ++list)
        if (strlen(*list) == length && memcmp(*list, word, length) == 0)
            return true;
    return false;
}

/* Whether the first message in the text has one of these fields itself, not in a message within. */
static bool has_field(const char *data, size_t size, const char *const *names) {
    int64_t depth = 0;
    for (size_t at = regal_skip_blank(data, size, 0); at < size;
         at = regal_skip_blank(data, size, at)) {
        const char c = data[at];
        size_t end = at;
        while (end < size && is_word(data[end]))
            ++end;
        if (end > at) {
            if (depth == 1 && is_one_of(data + at, end - at, names))
                return true;
            at = end;
        } else if (c == '"' || c == '\'') {
            at = skip_string(data, size, at);
        } else {
            depth += c == '{' || c == '<';
            depth -= c == '}' || c == '>';
            ++at;
            if (depth <= 0 && (c == '}' || c == '>'))
                return false;
        }
    }
    return false;
}

/* The first word, and whether a message (or for a scalar, a value) of protobuf's text follows. */
static bool first_field(const char *data, size_t size, bool scalar, const char **word,
                        size_t *length) {
    size_t at = regal_skip_blank(data, size, 0);
    *word = data + at;
    while (at < size && is_word(data[at]))
        ++at;
    *length = (size_t)(data + at - *word);
    at = regal_skip_blank(data, size, at);
    if (at < size && data[at] == ':') {
        if (scalar)
            return true;
        at = regal_skip_blank(data, size, at + 1);
    }
    if (scalar || at >= size || (data[at] != '{' && data[at] != '<'))
        return false;
    /* An HLO computation has "name = ..." in it, a message "field:" or "field {". */
    at = regal_skip_blank(data, size, at + 1);
    while (at < size && is_word(data[at]))
        ++at;
    at = regal_skip_blank(data, size, at);
    return at >= size || data[at] == ':' || data[at] == '{' || data[at] == '<' || data[at] == '}' ||
           data[at] == '>';
}

static regal_graph_def_form text_form(const char *data, size_t size) {
    static const char *const NODE[] = {"node", NULL}, *const OWN[] = {"op", "input", "attr", NULL};
    static const char *const GRAPH[] = {"library", "versions", NULL};
    static const char *const META[] = {
        "meta_info_def", "graph_def",      "saver_def",        "collection_def",
        "signature_def", "asset_file_def", "object_graph_def", NULL};
    static const char *const SAVED[] = {"meta_graphs", NULL};
    static const char *const VERSION[] = {"saved_model_schema_version", NULL};
    const char *word;
    size_t length;
    if (first_field(data, size, true, &word, &length) && is_one_of(word, length, VERSION))
        return REGAL_GRAPH_DEF_SAVED;
    if (!first_field(data, size, false, &word, &length))
        return REGAL_GRAPH_DEF_NONE;
    if (is_one_of(word, length, SAVED))
        return REGAL_GRAPH_DEF_SAVED;
    if (is_one_of(word, length, META))
        return REGAL_GRAPH_DEF_META;
    if (is_one_of(word, length, GRAPH) ||
        (is_one_of(word, length, NODE) && has_field(data, size, OWN)))
        return REGAL_GRAPH_DEF_GRAPH;
    return REGAL_GRAPH_DEF_NONE;
}

regal_graph_def_form gd_recognize(const char *data, size_t size, bool *text) {
    const regal_graph_def_form binary = binary_form(data, size);
    *text = binary == REGAL_GRAPH_DEF_NONE;
    return *text ? text_form(data, size) : binary;
}

bool regal_is_graph_def(const char *data, size_t size) {
    bool text;
    return gd_recognize(data, size, &text) != REGAL_GRAPH_DEF_NONE;
}

bool regal_is_binary_graph_def(const char *data, size_t size) {
    return binary_form(data, size) != REGAL_GRAPH_DEF_NONE;
}
