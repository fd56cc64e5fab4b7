// Runs the project's Python scripts.
#ifndef REGAL_TESTS_RUN_PYTHON_H
#define REGAL_TESTS_RUN_PYTHON_H

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct PythonRun {
    int exit_code = -1;
    std::string out; // standard output and error
};

// The interpreter: REGAL_PYTHON, or python3.
inline std::string python() {
    const char *given = getenv("REGAL_PYTHON");
    return given != nullptr ? given : "python3";
}

// Arguments may hold no single quotes.
inline PythonRun run_python(const std::vector<std::string> &arguments) {
    std::string command = "PYTHONDONTWRITEBYTECODE=1 '" + python() + "'";
    for (const std::string &argument : arguments)
        command += " '" + argument + "'";
    PythonRun run;
    FILE *pipe = popen((command + " 2>&1 < /dev/null").c_str(), "r");
    if (pipe == nullptr)
        return run;
    char buffer[4096];
    for (size_t count; (count = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
        run.out.append(buffer, count);
    const int status = pclose(pipe);
    run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return run;
}

inline bool has_python() {
    return run_python({"-c", "import sys; sys.exit(sys.version_info < (3, 9))"}).exit_code == 0;
}

#endif
