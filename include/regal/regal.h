/* REGAL: placement and scheduling of neural-network computation graphs.
 *
 * The public C API. In the order of use:
 *   graph, cluster    what is to run, and on what
 *   problem           both, validated together, with lower bounds
 *   optimize          the search: problem -> plan
 *   chromosome        random keys -> plan (the decoder), for those who bring their own keys
 *   baseline          classical methods: HEFT, one device, memory orders
 *   features          what a policy is told of a problem
 *   check             the independent judge of a plan
 *   io, costs         files in and out, measured times
 *   explain, report   why a plan is as it is; all of it as one HTML file
 *   generate          synthetic graphs and model architectures
 *   features, train   what a policy is told, and how it learns
 *   graph_set         problems by recipe or file
 *   evaluate          how good a policy is
 *   compare           every method on the same problems
 *
 * Every function that can fail returns a regal_status; regal_error_message() then says what, where
 * in the input, and what to do. The library never prints, exits or aborts. Objects are made by a
 * *_create/_read/... function and freed by the matching *_destroy, which accepts NULL. Objects are
 * immutable once built and may be read from several threads. */
#ifndef REGAL_REGAL_H
#define REGAL_REGAL_H

#include "regal/baseline.h"
#include "regal/check.h"
#include "regal/chromosome.h"
#include "regal/cluster.h"
#include "regal/compare.h"
#include "regal/costs.h"
#include "regal/evaluate.h"
#include "regal/explain.h"
#include "regal/features.h"
#include "regal/generate.h"
#include "regal/graph.h"
#include "regal/graph_set.h"
#include "regal/io.h"
#include "regal/optimize.h"
#include "regal/plan.h"
#include "regal/problem.h"
#include "regal/report.h"
#include "regal/status.h"
#include "regal/train.h"
#include "regal/version.h"

#endif
