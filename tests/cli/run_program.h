// Runs the regal program as a user would and tells what it did.
#ifndef REGAL_TESTS_RUN_PROGRAM_H
#define REGAL_TESTS_RUN_PROGRAM_H

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

struct ProgramRun {
    int exit_code = -1; // -1 where a signal ended it
    int signal = 0;
    std::string out, err;
};

struct ProgramSetting {
    std::string input;                              // standard input
    std::optional<std::string> out_path;            // standard output goes there, not into out
    std::string folder;                             // where it runs; "": where the test does
    bool terminal = false;                          // standard error is a terminal
    unsigned short columns = 100;                   // of the terminal
    bool closed_output = false;                     // nobody reads standard output
    std::map<std::string, std::string> environment; // in addition to this process's
    std::vector<std::pair<int, uint64_t>> limits;   // of setrlimit
    int ignored_signal = 0;                         // from the start, as under nohup
    // Sends the signals, one after each delay since the last.
    std::vector<std::pair<std::chrono::microseconds, int>> signals;
    // The terminal's columns change, after a while.
    std::optional<std::pair<std::chrono::microseconds, unsigned short>> resize;
};

ProgramRun run_program(const std::vector<std::string> &arguments,
                       const ProgramSetting &setting = {});

#endif
