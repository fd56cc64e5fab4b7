#include <gtest/gtest.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

#include "io/file.h"
#include "io/file_lock.h"
#include "regal/io.h"
#include "support/scratch_folder.h"

namespace {

std::string content_of(const std::string &path) {
    char *data = nullptr;
    size_t size = 0;
    EXPECT_EQ(regal_file_read(path.c_str(), &data, &size), REGAL_OK) << regal_error_message();
    const std::string content = data != nullptr ? std::string(data, size) : "";
    free(data);
    return content;
}

regal_status write(const std::string &path, const std::string &text) {
    return regal_file_write(path.c_str(), text.data(), text.size());
}

/* Reading `path` fails with a message of this part. */
void expect_unreadable(const std::string &path, const char *part) {
    char *data = nullptr;
    size_t size = 7;
    EXPECT_EQ(regal_file_read(path.c_str(), &data, &size), REGAL_INVALID_INPUT);
    EXPECT_EQ(data, nullptr);
    EXPECT_EQ(size, 0u);
    const std::string message = regal_error_message();
    EXPECT_EQ(message.rfind(path + ": ", 0), 0u) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

void expect_unwritable(const std::string &path, const char *part) {
    EXPECT_EQ(write(path, "text"), REGAL_OUTPUT_FAILED);
    const std::string message = regal_error_message();
    EXPECT_EQ(message.rfind(path + ": ", 0), 0u) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

mode_t mode_of(const std::string &path) {
    struct stat about = {};
    EXPECT_EQ(stat(path.c_str(), &about), 0);
    return about.st_mode & 07777;
}

TEST(File, ReadsBackWhatWasWritten) {
    ScratchFolder folder;
    const std::string large(3000001, 'x');
    for (const std::string &text : {std::string(), std::string("a\0b\n", 4), large}) {
        ASSERT_EQ(write(folder / "f", text), REGAL_OK) << regal_error_message();
        EXPECT_EQ(content_of(folder / "f"), text);
    }
    EXPECT_EQ(folder.file_count(), 1);
}

TEST(File, EndsTheContentWithANul) {
    ScratchFolder folder;
    ASSERT_EQ(write(folder / "f", "abc"), REGAL_OK);
    char *data = nullptr;
    size_t size = 0;
    ASSERT_EQ(regal_file_read((folder / "f").c_str(), &data, &size), REGAL_OK);
    EXPECT_EQ(data[size], '\0');
    free(data);
}

TEST(File, ReadsPipesToTheirEnd) {
    ScratchFolder folder;
    const std::string path = folder / "pipe", text(300000, 'p');
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    std::thread writer([&] { EXPECT_EQ(write(path, text), REGAL_OK) << regal_error_message(); });
    EXPECT_EQ(content_of(path), text);
    writer.join();
}

std::atomic<bool> stop_reading;

TEST(File, GivesUpAPipeWhenAsked) {
    ScratchFolder folder;
    const std::string path = folder / "pipe";
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    regal_reading_stop_when([] { return stop_reading.load(); });
    for (const bool is_open : {false, true}) {
        stop_reading = false;
        const int other = is_open ? open(path.c_str(), O_RDWR | O_CLOEXEC) : -1;
        std::thread stopper([] {
            usleep(50000);
            stop_reading = true;
        });
        char *data = nullptr;
        size_t size = 0;
        EXPECT_EQ(regal_file_read(path.c_str(), &data, &size), REGAL_INTERRUPTED);
        EXPECT_EQ(data, nullptr);
        stopper.join();
        if (other >= 0)
            close(other);
    }
    regal_reading_stop_when(nullptr);
}

TEST(File, TellsWhatCannotBeReadTwice) {
    ScratchFolder folder;
    const std::string pipe = folder / "pipe", file = folder / "f";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    ASSERT_EQ(write(file, "text"), REGAL_OK);
    EXPECT_EQ(regal_file_check_regular(file.c_str()), REGAL_OK);
    EXPECT_EQ(regal_file_check_regular((folder / "missing").c_str()), REGAL_OK);
    for (const std::string &path :
         {pipe, folder.path(), std::string("-"), std::string("/dev/null")})
        EXPECT_EQ(regal_file_check_regular(path.c_str()), REGAL_INVALID_ARGUMENT) << path;
}

TEST(FileLock, IsOfOneAtATime) {
    ScratchFolder folder;
    const std::string path = folder / "f", lock_path = path + ".lock";
    regal_file_lock first, second;
    ASSERT_EQ(regal_file_lock_take(path.c_str(), "a test", &first), REGAL_OK);
    EXPECT_EQ(regal_file_lock_take(path.c_str(), "a test", &second), REGAL_INVALID_INPUT);
    const std::string message = regal_error_message();
    EXPECT_EQ(message.rfind(path + ": a test is under way there", 0), 0u) << message;
    EXPECT_NE(message.find("process " + std::to_string(getpid())), std::string::npos) << message;
    regal_file_lock_release(&first);
    EXPECT_EQ(folder.file_count(), 0);
    ASSERT_EQ(write(lock_path, "1\n"), REGAL_OK); // of a process that was killed
    EXPECT_EQ(regal_file_lock_take(path.c_str(), "a test", &second), REGAL_OK);
    regal_file_lock_release(&second);
    EXPECT_EQ(regal_file_lock_take("/dev/null", "a test", &first), REGAL_OK);
    regal_file_lock_release(&first);
}

TEST(File, SaysWhyItCannotRead) {
    ScratchFolder folder;
    expect_unreadable(folder / "missing", "No such file");
    expect_unreadable(folder / ".", "is a folder");
    expect_unreadable("", "cannot open");
    for (const char *device : {"/dev/zero", "/dev/null", "/dev/random"})
        expect_unreadable(device, "is a device");
    ASSERT_EQ(write(folder / "f", "text"), REGAL_OK);
    expect_unreadable(folder / "f/g", "Not a directory");
    ASSERT_EQ(truncate((folder / "f").c_str(), off_t(1) << 42), 0);
    expect_unreadable(folder / "f", "too large");
    if (geteuid() != 0) {
        ASSERT_EQ(chmod((folder / "f").c_str(), 0), 0);
        expect_unreadable(folder / "f", "Permission denied");
    }
}

TEST(File, SaysWhyItCannotWrite) {
    ScratchFolder folder;
    expect_unwritable("/dev/full", "No space left");
    expect_unwritable(folder / "missing/f", "No such file");
    expect_unwritable(folder / ".", "Is a directory");
    ASSERT_EQ(write(folder / "f", "text"), REGAL_OK);
    expect_unwritable(folder / "f/g", "Not a directory");
    EXPECT_EQ(write("", "text"), REGAL_OUTPUT_FAILED);
    ASSERT_EQ(symlink("loop", (folder / "loop").c_str()), 0);
    expect_unwritable(folder / "loop", "symbolic links");
    if (geteuid() != 0) {
        ASSERT_EQ(chmod((folder / "f").c_str(), 0444), 0);
        expect_unwritable(folder / "f", "Permission denied");
        EXPECT_EQ(content_of(folder / "f"), "text");
    }
}

TEST(File, LeavesTheOldFileWholeWhereWritingFails) {
    ScratchFolder folder;
    ASSERT_EQ(write(folder / "f", "old"), REGAL_OK);
    /* A limit on file sizes stands in for a full disk. */
    struct rlimit before = {}, limit = {};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 1000;
    const auto handler = signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    const regal_status status = write(folder / "f", std::string(100000, 'n'));
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    EXPECT_EQ(status, REGAL_OUTPUT_FAILED);
    EXPECT_EQ(content_of(folder / "f"), "old");
    EXPECT_EQ(folder.file_count(), 1) << "the temporary is gone";
}

TEST(File, KeepsThePermissionsOfAnOldFile) {
    ScratchFolder folder;
    ASSERT_EQ(write(folder / "f", "old"), REGAL_OK);
    ASSERT_EQ(chmod((folder / "f").c_str(), 0640), 0);
    ASSERT_EQ(write(folder / "f", "new"), REGAL_OK);
    EXPECT_EQ(mode_of(folder / "f"), 0640u);
    EXPECT_EQ(content_of(folder / "f"), "new");
}

TEST(File, GivesANewFileTheUsualPermissions) {
    ScratchFolder folder;
    const mode_t mask = umask(027);
    const regal_status status = write(folder / "f", "new");
    umask(mask);
    ASSERT_EQ(status, REGAL_OK);
    EXPECT_EQ(mode_of(folder / "f"), 0640u);
}

TEST(File, WritesThroughLinks) {
    ScratchFolder folder;
    ASSERT_EQ(mkdir((folder / "sub").c_str(), 0700), 0);
    ASSERT_EQ(write(folder / "sub/f", "old"), REGAL_OK);
    ASSERT_EQ(symlink("sub/f", (folder / "a").c_str()), 0);
    ASSERT_EQ(symlink("a", (folder / "b").c_str()), 0);
    ASSERT_EQ(symlink("sub/not-yet", (folder / "c").c_str()), 0);
    ASSERT_EQ(write(folder / "b", "new"), REGAL_OK);
    ASSERT_EQ(write(folder / "c", "first"), REGAL_OK);
    EXPECT_EQ(content_of(folder / "sub/f"), "new");
    EXPECT_EQ(content_of(folder / "sub/not-yet"), "first");
    struct stat about = {};
    ASSERT_EQ(lstat((folder / "b").c_str(), &about), 0);
    EXPECT_TRUE(S_ISLNK(about.st_mode));
}

TEST(File, WritesStandardOutputInPlace) {
    ScratchFolder folder;
    const std::string path = folder / "out";
    fflush(stdout);
    const int saved = dup(STDOUT_FILENO);
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ASSERT_GE(dup2(file, STDOUT_FILENO), 0);
    const regal_status dash = write("-", "one "), named = write("/dev/stdout", "two");
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(file);
    EXPECT_EQ(dash, REGAL_OK);
    EXPECT_EQ(named, REGAL_OK);
    EXPECT_EQ(content_of(path), "one two");
}

TEST(File, WritesDevices) {
    EXPECT_EQ(write("/dev/null", "text"), REGAL_OK);
    EXPECT_TRUE(access("/dev/null", F_OK) == 0);
    struct stat about = {};
    ASSERT_EQ(stat("/dev/null", &about), 0);
    EXPECT_TRUE(S_ISCHR(about.st_mode));
}

TEST(File, IsNeverSeenHalfWritten) {
    ScratchFolder folder;
    const std::string path = folder / "f", a(200000, 'a'), b(200000, 'b');
    ASSERT_EQ(write(path, a), REGAL_OK);
    std::thread writer([&] {
        for (int i = 0; i < 50; ++i)
            EXPECT_EQ(write(path, i % 2 == 0 ? b : a), REGAL_OK);
    });
    for (int i = 0; i < 50; ++i) {
        const std::string seen = content_of(path);
        EXPECT_TRUE(seen == a || seen == b);
    }
    writer.join();
}

} // namespace
