#ifndef REGAL_CLI_OPTIMIZE_BATCH_H
#define REGAL_CLI_OPTIMIZE_BATCH_H

#include "cli/options.h"
#include "cli/setting.h"

/* Several graphs: side by side, one thread each, where there are at least as many as threads; else
 * one after the other with all threads. One line for each on standard output, in the order of the
 * arguments. Goes on after a failure; an interrupt ends the running searches with their best and
 * starts no others. Returns the worst exit code. */
int optimize_batch(const cli_options *options, const cli_setting *setting);

#endif
