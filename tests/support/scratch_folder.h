// A folder of its own for a test, removed with all its files at the end.
#ifndef REGAL_TESTS_SCRATCH_FOLDER_H
#define REGAL_TESTS_SCRATCH_FOLDER_H

#include <stdlib.h>

#include <filesystem>
#include <string>

class ScratchFolder {
  public:
    ScratchFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "regal-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr)
            throw std::filesystem::filesystem_error("mkdtemp", name, std::error_code());
        path_ = name;
    }
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder &) = delete;
    ScratchFolder &operator=(const ScratchFolder &) = delete;

    std::string operator/(const std::string &name) const { return path_ + "/" + name; }
    const std::string &path() const { return path_; }

    /* Files and folders directly in it. */
    long file_count() const {
        const std::filesystem::directory_iterator begin(path_);
        return std::distance(begin, std::filesystem::directory_iterator());
    }

  private:
    std::string path_;
};

#endif
