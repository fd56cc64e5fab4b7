#include "cli/compare_parts.h"
regal_status compare_plot_write(const compare_results *results, const compare_figures *figures,
                                const char *path) {
    (void)results;
    (void)figures;
    (void)path;
    return REGAL_OK;
}
