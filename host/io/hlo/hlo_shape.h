/* Shapes of HLO text: "f32[2,3]{1,0:T(8,128)}", "(s32[], (f32[<=4], token[]))". */
#ifndef REGAL_IO_HLO_SHAPE_H
#define REGAL_IO_HLO_SHAPE_H

#include "io/hlo/hlo_text.h"

/* Takes a shape into the module's nodes; *node is its first. */
regal_status regal_hlo_take_shape(hlo_module *module, hlo_cursor *cursor, int64_t *node);
/* Whether a shape, rather than a name, is next. */
bool regal_hlo_shape_is_next(hlo_cursor *cursor);
/* Takes a shape and keeps nothing. */
regal_status regal_hlo_skip_shape(hlo_cursor *cursor);

/* Whether this reshape or transpose leaves every element where it is. */
bool regal_hlo_is_same_storage(const hlo_module *module, const hlo_instruction *instruction);

#endif
