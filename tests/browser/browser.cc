#include "browser/browser.h"

#include <stdlib.h>

#include <chrono>
#include <filesystem>

#include "cli/program_files.h"

namespace {

// The first of its names in PATH, or "".
std::string find_browser() {
    const char *path = getenv("PATH");
    const std::string folders = path ? path : "";
    for (const char *name : {"chromium", "chromium-browser", "google-chrome"})
        for (size_t from = 0; from < folders.size();) {
            const size_t to = std::min(folders.find(':', from), folders.size());
            const std::string file = folders.substr(from, to - from) + "/" + name;
            std::error_code ignored;
            if (std::filesystem::is_regular_file(file, ignored))
                return file;
            from = to + 1;
        }
    return "";
}

} // namespace

std::string LoadedPage::attribute(const std::string &name) const {
    const size_t from = document.find("<html"), to = document.find('>', from);
    const std::string head = from == std::string::npos ? "" : document.substr(from, to - from);
    const std::string open = " " + name + "=\"";
    const size_t at = head.find(open);
    if (at == std::string::npos)
        return "";
    const size_t value = at + open.size();
    return head.substr(value, head.find('"', value) - value);
}

bool Browser::is_there() {
    return !find_browser().empty();
}

int Browser::run(const std::string &words, const std::string &address) {
    const std::string command =
        "timeout 60 '" + find_browser() + "' --headless=new --no-sandbox --disable-gpu " +
        "--disable-extensions --no-first-run --hide-scrollbars --user-data-dir='" + folder_.path() +
        "/profile' --enable-logging=stderr " + words + " 'file://" + address + "' >'" +
        folder_.path() + "/out' 2>'" + folder_.path() + "/err'";
    return system(command.c_str());
}

LoadedPage Browser::load(const std::string &path, const std::string &fragment) {
    const auto begun = std::chrono::steady_clock::now();
    LoadedPage page;
    run("--window-size=1280,900 --dump-dom", path + (fragment.empty() ? "" : "#" + fragment));
    page.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    page.document = read_text(folder_ / "out");
    for (const std::string &line : lines_of(read_text(folder_ / "err")))
        if (line.find("CONSOLE") != std::string::npos)
            page.console += line + "\n";
    return page;
}

bool Browser::screenshot(const std::string &path, const std::string &fragment,
                         const std::string &png) {
    return run("--window-size=1280,1400 --screenshot='" + png + "'", path + "#" + fragment) == 0;
}

bool Browser::print(const std::string &path, const std::string &pdf) {
    return run("--no-pdf-header-footer --print-to-pdf='" + pdf + "'", path) == 0;
}
