#include "compare/curve.h"

#include "base/memory.h"

static bool is_better(const regal_run_point *a, const regal_run_point *b) {
    return a->excess != b->excess ? a->excess < b->excess : a->value < b->value;
}

void regal_curve_end(regal_curve *curve, regal_run_point point) {
    regal_run *run = curve->run;
    if (!regal_array_reserve(&run->curve, &curve->room, run->point_count + 1, sizeof *run->curve)) {
        curve->memory_ran_out = true;
        return;
    }
    run->curve[run->point_count++] = point;
}

void regal_curve_note(regal_curve *curve, regal_run_point point) {
    const regal_run *run = curve->run;
    if (point.value >= 0 &&
        (run->point_count == 0 || is_better(&point, &run->curve[run->point_count - 1])))
        regal_curve_end(curve, point);
}
