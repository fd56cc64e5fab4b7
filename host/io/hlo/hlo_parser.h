/* The parser's state, and the step from one instruction's text to the module. */
#ifndef REGAL_IO_HLO_PARSER_H
#define REGAL_IO_HLO_PARSER_H

#include "io/hlo/hlo_names.h"
#include "io/hlo/hlo_shape.h"

/* A computation written inside an attribute, parsed once the one around it is done. */
typedef struct hlo_inner_text {
    int64_t call; /* whose computation it becomes */
    hlo_slice text;
    int64_t depth;
} hlo_inner_text;

typedef struct hlo_parser {
    hlo_module *module;
    hlo_names names; /* scopes: an instruction's computation, or one of those below */
    hlo_inner_text *inner;
    int64_t inner_count, inner_capacity;
    int64_t unknown_opcodes;
} hlo_parser;

enum { HLO_COMPUTATIONS = -1, HLO_OPCODES = -2 };

/* Takes one instruction of the computation; *is_root where it is marked so. */
regal_status regal_hlo_take_instruction(hlo_parser *parser, hlo_cursor *cursor, int64_t computation,
                                        bool *is_root);

#endif
