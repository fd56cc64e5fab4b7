#include "cli/run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <thread>

namespace {

struct Pipe {
    int from = -1, to = -1;
    Pipe() {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0)
            throw std::runtime_error("pipe");
        from = ends[0];
        to = ends[1];
    }
    void close_from() { close_end(from); }
    void close_to() { close_end(to); }
    ~Pipe() {
        close_from();
        close_to();
    }

  private:
    static void close_end(int &end) {
        if (end >= 0)
            close(end);
        end = -1;
    }
};

void make_terminal(Pipe &err, unsigned short columns) {
    const struct winsize size = {40, columns, 0, 0};
    err.close_from();
    err.close_to();
    if (openpty(&err.from, &err.to, nullptr, nullptr, &size) != 0)
        throw std::runtime_error("openpty");
}

[[noreturn]] void become_program(const std::vector<std::string> &arguments,
                                 const ProgramSetting &setting, const Pipe &in, const Pipe &out,
                                 const Pipe &err) {
    std::vector<char *> words = {const_cast<char *>(REGAL_PROGRAM)};
    for (const std::string &argument : arguments)
        words.push_back(const_cast<char *>(argument.c_str()));
    words.push_back(nullptr);
    for (const auto &[name, value] : setting.environment)
        setenv(name.c_str(), value.c_str(), 1);
    for (const auto &[resource, most] : setting.limits) {
        const struct rlimit limit = {most, most};
        setrlimit(__rlimit_resource_t(resource), &limit);
    }
    int output = out.to;
    if (setting.out_path)
        output = open(setting.out_path->c_str(), O_WRONLY | O_CREAT, 0666);
    if (!setting.folder.empty() && chdir(setting.folder.c_str()) != 0)
        _exit(126);
    for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT})
        signal(number, number == setting.ignored_signal ? SIG_IGN : SIG_DFL);
    if (output < 0 || dup2(in.from, 0) < 0 || dup2(output, 1) < 0 || dup2(err.to, 2) < 0)
        _exit(126);
    // A terminal's ends are not closed by exec.
    if (setting.terminal) {
        close(err.from);
        close(err.to);
    }
    execv(REGAL_PROGRAM, words.data());
    _exit(127);
}

// Moves bytes until the program has closed its outputs.
void exchange(Pipe &in, Pipe &out, Pipe &err, const std::string &input, ProgramRun &run) {
    size_t sent = 0;
    while (out.from >= 0 || err.from >= 0) {
        const bool sending = in.to >= 0 && sent < input.size();
        if (!sending)
            in.close_to();
        std::array<struct pollfd, 3> ends = {
            {{out.from, POLLIN, 0}, {err.from, POLLIN, 0}, {in.to, POLLOUT, 0}}};
        if (poll(ends.data(), ends.size(), -1) < 0)
            continue;
        char buffer[65536];
        for (int i = 0; i < 2; ++i) {
            Pipe &pipe = i == 0 ? out : err;
            if (!ends[i].revents)
                continue;
            const ssize_t count = read(pipe.from, buffer, sizeof buffer);
            if (count > 0)
                (i == 0 ? run.out : run.err).append(buffer, size_t(count));
            else
                pipe.close_from();
        }
        if (sending && ends[2].revents) {
            const ssize_t count = write(in.to, input.data() + sent, input.size() - sent);
            if (count < 0)
                in.close_to();
            else
                sent += size_t(count);
        }
    }
}

void wait_for(pid_t child, ProgramRun &run) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(status))
        run.exit_code = WEXITSTATUS(status);
    else
        run.signal = WTERMSIG(status);
}

} // namespace

ProgramRun run_program(const std::vector<std::string> &arguments, const ProgramSetting &setting) {
    Pipe in, out, err;
    if (setting.terminal)
        make_terminal(err, setting.columns);
    if (setting.closed_output)
        out.close_from();     // before there is a child that could write
    signal(SIGPIPE, SIG_IGN); // a program that does not read its input is no fault of the test
    const pid_t child = fork();
    if (child < 0)
        throw std::runtime_error("fork");
    if (child == 0)
        become_program(arguments, setting, in, out, err);
    in.close_from();
    out.close_to();
    err.close_to();
    // The child is waited for only after this thread has ended: its number stays its own.
    std::thread sender([&] {
        for (const auto &[delay, number] : setting.signals) {
            std::this_thread::sleep_for(delay);
            kill(child, number);
        }
    });
    const int terminal = setting.resize ? dup(err.from) : -1; // exchange closes the other
    std::thread resizer([&] {
        if (!setting.resize)
            return;
        std::this_thread::sleep_for(setting.resize->first);
        const struct winsize size = {40, setting.resize->second, 0, 0};
        ioctl(terminal, TIOCSWINSZ, &size);
        close(terminal);
    });
    ProgramRun run;
    exchange(in, out, err, setting.input, run);
    sender.join();
    resizer.join();
    wait_for(child, run);
    return run;
}
