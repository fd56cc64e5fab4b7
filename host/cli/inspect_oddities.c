/* What of a graph is probably not as its author meant it, or keeps plans from being good. */
#include <stdarg.h>

#include "cli/human_units.h"
#include "cli/inspection.h"
#include "cli/plan_facts.h"

/* From here on control edges into one op make it a barrier, and one op a bottleneck. */
enum { HUGE_FAN_IN = 1000 };
static const double BOTTLENECK_SHARE = 0.5;

void oddity_add(oddity_list *list, const char *format, ...) {
    if (list->count == ODDITIES)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(list->lines[list->count++], ODDITY_TEXT, format, arguments);
    va_end(arguments);
}

static const char *is_or_are(int64_t count) {
    return count == 1 ? "is" : "are";
}

static void find_odd_costs(inspection *seen) {
    const graph_facts *facts = &seen->facts;
    oddity_list *list = &seen->oddities;
    if (facts->counts.ops == 0)
        oddity_add(list, "there are no ops");
    else if (facts->free_ops == facts->counts.ops)
        oddity_add(list, "every op costs 0 ticks: each counts as one tick");
    else if (2 * facts->free_ops > facts->counts.ops)
        oddity_add(list, "%s of %s ops cost 0 ticks: each counts as one tick",
                   HUMAN(count, facts->free_ops), HUMAN(count, facts->counts.ops));
    if (facts->counts.ops > 2) {
        const top_item most = facts->costliest_ops.items[0];
        const double share = (double)most.value / (double)facts->work[0];
        if (share > BOTTLENECK_SHARE)
            oddity_add(list, "op %.100s is %s of all work",
                       regal_graph_op(seen->graph, most.index).name, HUMAN(percent, share));
    }
}

static void find_odd_shape(inspection *seen) {
    const graph_facts *facts = &seen->facts;
    oddity_list *list = &seen->oddities;
    if (facts->control_fan_in >= HUGE_FAN_IN)
        oddity_add(list, "op %.100s waits for %s: it is a barrier",
                   regal_graph_op(seen->graph, facts->control_fan_in_op).name,
                   HUMAN(things, facts->control_fan_in, "control edge"));
    if (facts->counts.ops > 1 && facts->shape.width == 1)
        oddity_add(list, "the ops form one chain: more devices cannot make it faster");
    if (facts->shape.parts > 1)
        oddity_add(list, "the graph falls into %s that no edge joins",
                   HUMAN(things, facts->shape.parts, "part"));
}

static void find_odd_bytes(inspection *seen) {
    const graph_facts *facts = &seen->facts;
    oddity_list *list = &seen->oddities;
    if (facts->counts.tensors == 0 && facts->counts.ops > 1)
        oddity_add(list, "no op hands data to another");
    else if (facts->counts.tensors > 0 && facts->tensor_bytes == 0)
        oddity_add(list, "every tensor has 0 bytes");
    else if (facts->zero_tensors > 0)
        oddity_add(list, "%s of %s %s 0 bytes", HUMAN(count, facts->zero_tensors),
                   HUMAN(things, facts->counts.tensors, "tensor"),
                   facts->zero_tensors == 1 ? "has" : "have");
    if (facts->unused_tensors > 0)
        oddity_add(list, "%s %s neither read nor an output",
                   HUMAN(things, facts->unused_tensors, "tensor"),
                   is_or_are(facts->unused_tensors));
    if (facts->unused_parameters > 0)
        oddity_add(list, "%s %s used by no op",
                   HUMAN(things, facts->unused_parameters, "parameter"),
                   is_or_are(facts->unused_parameters));
}

static void find_odd_places(inspection *seen) {
    if (seen->homeless_ops > 0)
        oddity_add(&seen->oddities, "%s may run on none of the devices, the first: %.100s",
                   HUMAN(things, seen->homeless_ops, "op"),
                   regal_graph_op(seen->graph, seen->first_homeless).name);
    if (seen->bounded && caps_are_hopeless(seen->setting->cluster, seen->bounds))
        oddity_add(&seen->oddities,
                   "no plan can keep within the caps: some device needs at least %s",
                   HUMAN(bytes, seen->bounds.memory));
}

void oddities_find(inspection *seen) {
    find_odd_costs(seen);
    find_odd_shape(seen);
    find_odd_bytes(seen);
    find_odd_places(seen);
}
