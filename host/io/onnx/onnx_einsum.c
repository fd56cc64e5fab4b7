/* What an Einsum multiplies: its operands are contracted from the left, two at a time. */
#include <string.h>

#include "io/onnx/onnx_reading.h"

/* Labels: 26 + 26 letters, and the dimensions that an ellipsis stands for, the last first. */
enum { LETTERS = 52, HIDDEN = 64, LABELS = LETTERS + HIDDEN };

typedef struct labels {
    bool has[LABELS];
} labels;

typedef struct equation {
    const char *text, *end; /* of the operands */
    const char *output;     /* behind "->", or NULL: every letter that comes once */
    int64_t size[LABELS];
    int64_t times[LABELS]; /* that it comes in the operands */
    bool in_output[LABELS];
} equation;

static int letter_of(char c) {
    return c >= 'a' && c <= 'z' ? c - 'a' : c >= 'A' && c <= 'Z' ? 26 + c - 'A' : -1;
}

static const char *term_end(const char *text, const char *end) {
    const char *comma = memchr(text, ',', (size_t)(end - text));
    return comma != NULL ? comma : end;
}

static int64_t letters_in(const char *text, const char *end) {
    int64_t count = 0;
    for (; text < end; ++text)
        count += letter_of(*text) >= 0;
    return count;
}

/* The labels of a term, with their sizes where the operand is given; false where it does not fit.
 */
static bool read_term(equation *of, const char *text, const char *end,
                      const regal_onnx_value *operand, labels *found) {
    memset(found, 0, sizeof *found);
    const int64_t hidden = operand->rank - letters_in(text, end);
    int64_t d = 0;
    if (hidden < 0 || hidden > HIDDEN)
        return false;
    for (; text < end; ++text) {
        const int letter = letter_of(*text);
        int64_t first = letter, count = letter >= 0;
        if (*text == '.' && end - text >= 3) {
            text += 2;
            count = hidden;
        }
        for (int64_t i = 0; i < count; ++i, ++d) {
            const int64_t label = letter >= 0 ? first : LETTERS + hidden - 1 - i;
            if (d >= operand->rank || operand->dims[d] < 0)
                return false;
            found->has[label] = true;
            ++of->times[label];
            if (operand->dims[d] > of->size[label])
                of->size[label] = operand->dims[d];
        }
    }
    return d == operand->rank;
}

static void find_output(equation *of) {
    const bool hidden = of->output == NULL || strstr(of->output, "...") != NULL;
    for (int i = 0; i < LABELS; ++i)
        of->in_output[i] = i < LETTERS ? of->output == NULL && of->times[i] == 1 : hidden;
    for (const char *c = of->output; c != NULL && *c != '\0'; ++c)
        if (letter_of(*c) >= 0)
            of->in_output[letter_of(*c)] = true;
}

static int64_t extent(const equation *of, const labels *set) {
    int64_t product = 1;
    for (int i = 0; i < LABELS; ++i)
        if (set->has[i] && of->size[i] == 0)
            return 0;
    for (int i = 0; i < LABELS; ++i)
        if (set->has[i])
            product = regal_count_multiply(product, of->size[i]);
    return product;
}

typedef struct contraction {
    labels open;          /* of the product so far */
    int64_t left[LABELS]; /* operands to come that have the label */
    int64_t terms, multiplies;
} contraction;

typedef void visit_term(const equation *of, const labels *term, contraction *so_far);

/* Each operand's labels in turn; false where the equation does not fit them. */
static bool visit(const onnx_reading *in, const regal_onnx_node *node, equation *of,
                  visit_term *act, contraction *so_far) {
    const char *text = of->text;
    for (int64_t k = 0; k < node->input_count; ++k) {
        regal_onnx_value operand;
        labels term;
        const char *end = term_end(text, of->end);
        const bool last = k + 1 == node->input_count;
        if (!regal_onnx_input(in, node, k, &operand) || last != (end == of->end) ||
            !read_term(of, text, end, &operand, &term))
            return false;
        act(of, &term, so_far);
        text = end + 1;
    }
    return node->input_count > 0;
}

static void count(const equation *of, const labels *term, contraction *so_far) {
    (void)of;
    for (int i = 0; i < LABELS; ++i)
        so_far->left[i] += term->has[i];
}

static void contract(const equation *of, const labels *term, contraction *so_far) {
    for (int i = 0; i < LABELS; ++i) {
        so_far->open.has[i] = so_far->open.has[i] || term->has[i];
        so_far->left[i] -= term->has[i];
    }
    if (so_far->terms++ > 0)
        so_far->multiplies = regal_count_add(so_far->multiplies, extent(of, &so_far->open));
    for (int i = 0; i < LABELS; ++i)
        so_far->open.has[i] = so_far->open.has[i] && (so_far->left[i] > 0 || of->in_output[i]);
}

int64_t regal_onnx_einsum(const onnx_reading *in, int64_t id) {
    const regal_onnx_node node = in->module->node(in->model, id);
    regal_onnx_attribute attribute;
    if (!in->module->attribute(in->model, id, "equation", REGAL_ONNX_TEXT, &attribute))
        return 0;
    const char *arrow = strstr(attribute.text, "->");
    equation of = {.text = attribute.text,
                   .end = arrow != NULL ? arrow : attribute.text + strlen(attribute.text),
                   .output = arrow != NULL ? arrow + 2 : NULL};
    contraction so_far = {0};
    if (!visit(in, &node, &of, count, &so_far))
        return 0;
    find_output(&of);
    return visit(in, &node, &of, contract, &so_far) ? so_far.multiplies : 0;
}
