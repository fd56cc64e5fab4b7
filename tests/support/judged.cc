#include "support/judged.h"

#include <algorithm>
#include <stdexcept>

// The message of an invalid plan; any other failure is a failure of the test.
static std::string message(regal_status status) {
    if (status == REGAL_OK)
        return "";
    if (status != REGAL_INVALID_INPUT)
        throw std::runtime_error(regal_status_name(status));
    return regal_error_message();
}

std::string Judged::measure(const plain::Plan &plan) {
    const PlanPtr made = make_plan(plan);
    return message(regal_plan_measure(graph_.get(), cluster_.get(), made.get(), &found_));
}

std::string Judged::check(const regal_plan *plan) {
    return message(regal_plan_check(graph_.get(), cluster_.get(), plan, &found_));
}

plain::Plan Judged::with_found_figures(plain::Plan plan) const {
    plan.makespan = found_.makespan;
    plan.peak.assign(found_.peak, found_.peak + regal_cluster_device_count(cluster_.get()));
    std::copy(found_.time.value, found_.time.value + 3, plan.time.begin());
    std::copy(found_.memory.value, found_.memory.value + 3, plan.memory.begin());
    return plan;
}
