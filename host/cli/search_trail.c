#include "cli/search_trail.h"

#include <stdlib.h>

static bool make_room(search_trail *trail) {
    if (trail->count < trail->room)
        return true;
    const int64_t room = trail->room > 0 ? 2 * trail->room : 64;
    regal_report_point *points = reallocarray(trail->points, (size_t)room, sizeof *points);
    if (!points)
        return false;
    trail->points = points;
    trail->room = room;
    return true;
}

static void add(search_trail *trail, regal_report_point point) {
    const regal_report_point *last = trail->count > 0 ? &trail->points[trail->count - 1] : NULL;
    if (last && last->value == point.value && last->excess == point.excess)
        return;
    if (make_room(trail))
        trail->points[trail->count++] = point;
}

void search_trail_note(search_trail *trail, const regal_progress *progress) {
    if (progress->value >= 0)
        add(trail, (regal_report_point){progress->seconds, progress->evaluations, progress->value,
                                        progress->excess});
}

void search_trail_end(search_trail *trail, const plan_facts *facts, const regal_made *made) {
    add(trail, (regal_report_point){made->seconds, made->evaluations, plan_facts_value(facts),
                                    facts->excess});
}
