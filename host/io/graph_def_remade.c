#include "io/graph_def_remade.h"

#include "base/error.h"

bool gd_is_remade(const gd_file *file) {
    (void)file;
    return false;
}
regal_status gd_read_remade(gd_file *file, regal_graph **graph) {
    (void)graph;
    REGAL_FAIL(REGAL_INVALID_INPUT, "%s", file->name);
}
