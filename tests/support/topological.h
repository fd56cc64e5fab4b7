// Orders of the ops of a problem.
#ifndef REGAL_TESTS_TOPOLOGICAL_H
#define REGAL_TESTS_TOPOLOGICAL_H

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/whole_problem.h"

using Ids = std::vector<regal_id>;

// Every op once, none before an op that it waits for.
inline bool is_topological(const regal_problem_view &view, const regal_id *sequence) {
    Ids position(view.op_count, -1);
    for (int64_t i = 0; i < view.op_count; ++i)
        position[sequence[i]] = i;
    bool holds = std::count(position.begin(), position.end(), -1) == 0;
    for (regal_id e = 0; e < view.edge_count; ++e)
        holds = holds &&
                position[view.tensors[view.edge_tensor[e]].producer] < position[view.consumer[e]];
    for (regal_id op = 0; op < view.op_count; ++op)
        for (regal_id c = view.ops[op].control_begin; c < view.ops[op + 1].control_begin; ++c)
            holds = holds && position[op] < position[view.control_successor[c]];
    return holds;
}

inline Ids order_of(regal_status (*method)(const regal_problem_view *, regal_id *),
                    const WholeProblem &whole) {
    Ids sequence(whole.view().op_count);
    EXPECT_EQ(method(&whole.view(), sequence.data()), REGAL_OK);
    return sequence;
}

#endif
