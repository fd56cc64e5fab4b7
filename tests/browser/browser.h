// A page in a headless Chromium.
#ifndef REGAL_TESTS_BROWSER_H
#define REGAL_TESTS_BROWSER_H

#include <string>

#include "support/scratch_folder.h"

// What the browser made of a page.
struct LoadedPage {
    std::string document; // as it stands after loading
    std::string console;  // what the page said there: errors, exceptions
    double seconds = 0;   // with the browser's own start

    // An attribute of <html>; "" where there is none.
    std::string attribute(const std::string &name) const;
};

class Browser {
  public:
    // False where this machine has no Chromium.
    static bool is_there();

    // fragment: what follows # in the address.
    LoadedPage load(const std::string &path, const std::string &fragment = "");
    // Files made of it; false where the browser failed.
    bool screenshot(const std::string &path, const std::string &fragment, const std::string &png);
    bool print(const std::string &path, const std::string &pdf);

  private:
    // Exit status of the browser; the rest of its command line may send its output on.
    int run(const std::string &words, const std::string &address);
    const ScratchFolder folder_;
};

#endif
