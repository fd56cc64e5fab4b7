/* What `generate NAME` and `generate dataset NAME` have in common. */
#ifndef REGAL_CLI_COMMAND_GENERATE_H
#define REGAL_CLI_COMMAND_GENERATE_H

#include "cli/options.h"

/* arguments[0..count), "name=value" each, cut up in place, to values[0..count). Prints what is
 * wrong and returns false. */
bool parameters_read(char **arguments, int64_t count, regal_parameter_value *values);

void generator_print(const regal_generator_info *info);

/* command_dataset.c: `generate dataset [NAME [PARAMETER=VALUE...]]`. Returns the exit code. */
int generate_dataset(const cli_options *options);

#endif
