/* The regal program: finds the command, reads its options, runs it. */
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>

#include "cli/console.h"
#include "cli/interrupts.h"
#include "cli/options.h"

int command_version(const cli_options *options) {
    (void)options;
    printf("regal %s\n", regal_version());
    return 0;
}

static int run(int argc, char **argv) {
    if (argc < 2) {
        usage_print(stderr);
        return regal_status_exit_code(REGAL_INVALID_ARGUMENT);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
        return command_version(NULL);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        help_print(COMMAND_COUNT);
        return 0;
    }
    const command_id command = command_find(argv[1]);
    if (command == COMMAND_COUNT)
        return usage_unknown_command(argv[1]);
    cli_options options;
    if (!options_parse(command, argc - 2, argv + 2, &options))
        return regal_status_exit_code(REGAL_INVALID_ARGUMENT);
    if (options.help) {
        help_print(command);
        return 0;
    }
    if (options.quiet)
        console_hush();
    return command_table[command].run(&options);
}

/* A program whose results did not arrive has failed. */
static bool close_output(void) {
    const bool failed = ferror(stdout) != 0, pending = __fpending(stdout) > 0;
    errno = 0;
    if (fclose(stdout) == 0 && !failed)
        return true;
    if (!failed && !pending && errno == EBADF) /* started without standard output, and used none */
        return true;
    console_error("standard output: %s", errno ? strerror(errno) : "a write failed");
    return false;
}

int main(int argc, char **argv) {
    console_open();
    interrupts_open();
    const int code = run(argc, argv);
    return close_output() ? code : regal_status_exit_code(REGAL_OUTPUT_FAILED);
}
