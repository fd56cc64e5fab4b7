// DESIGN 2 and 3 once more, written straight from the text in the slowest and plainest way, to
// judge the decoder and the checker by. Shares nothing with the library.
#ifndef REGAL_TESTS_ORACLE_H
#define REGAL_TESTS_ORACLE_H

#include <optional>
#include <string>

#include "support/plain_case.h"

namespace oracle {

// The one plan that the keys stand for; nothing where a group has no device in common.
std::optional<plain::Plan> decode(const plain::Graph &graph, const plain::Cluster &cluster,
                                  const plain::Chromosome &chromosome);

// The first rule of DESIGN 2 that placement, starts and transfers break; "" for a valid plan.
std::string broken_rule(const plain::Graph &graph, const plain::Cluster &cluster,
                        const plain::Plan &plan);

// Fills in makespan, peaks and fitness of a valid plan.
void measure(const plain::Graph &graph, const plain::Cluster &cluster, plain::Plan &plan);

} // namespace oracle

#endif
