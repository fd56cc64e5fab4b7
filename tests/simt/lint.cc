#include "lint.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace {

const std::map<std::string, const char *> &refused_words() {
    static const std::map<std::string, const char *> words = {
        {"asm", "inline PTX"},
        {"__asm", "inline PTX"},
        {"__asm__", "inline PTX"},
        {"cooperative_groups", "cooperative groups"},
        {"cudaLaunchCooperativeKernel", "a grid-wide launch"},
        {"__activemask", "which lanes are active is no promise; pass a mask"},
        {"volatile", "volatile orders nothing between threads; use atomics or barriers"},
        {"__nanosleep", "waiting for time to pass"},
        {"clock", "a device clock"},
        {"clock64", "a device clock"},
        {"globaltimer", "a device clock"},
        {"__shfl", "a shuffle without a mask"},
        {"__shfl_up", "a shuffle without a mask"},
        {"__shfl_down", "a shuffle without a mask"},
        {"__shfl_xor", "a shuffle without a mask"},
        {"__ballot", "a vote without a mask"},
        {"__any", "a vote without a mask"},
        {"__all", "a vote without a mask"},
        {"texture", "a texture"},
        {"surface", "a surface"},
        {"tex1Dfetch", "a texture"},
        {"tex1D", "a texture"},
        {"tex2D", "a texture"},
        {"tex3D", "a texture"},
        {"cudaTextureObject_t", "a texture"},
        {"cudaSurfaceObject_t", "a surface"},
        {"__CUDA_ARCH__", "code that depends on the device is never seen by the tests"},
        {"__managed__", "managed memory"},
        {"cudaMallocManaged", "managed memory"},
    };
    return words;
}

// Comments, strings and characters become spaces, so that lines keep their numbers.
std::string without_comments(const std::string &source) {
    std::string text = source;
    size_t i = 0;
    const auto blank_until = [&](const std::string &end, size_t from) {
        size_t stop = from;
        while (stop < source.size() && source.compare(stop, end.size(), end) != 0) {
            stop += end != "*/" && end != "\n" && source[stop] == '\\' ? 2 : 1;
        }
        stop = std::min(source.size(), stop + (end == "\n" ? 0 : end.size()));
        for (; i < stop; ++i) {
            text[i] = source[i] == '\n' ? '\n' : ' ';
        }
    };
    while (i < source.size()) {
        if (source.compare(i, 2, "//") == 0) {
            blank_until("\n", i + 2);
        } else if (source.compare(i, 2, "/*") == 0) {
            blank_until("*/", i + 2);
        } else if (source[i] == '"') {
            blank_until("\"", i + 1);
        } else if (source[i] == '\'' &&
                   (i == 0 || !isxdigit(static_cast<unsigned char>(source[i - 1])))) {
            blank_until("'", i + 1);
        } else {
            ++i;
        }
    }
    return text;
}

bool is_word(char c) {
    return isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Goes through a source's words and punctuation, and keeps what it must remember on the way.
class Linter {
  public:
    Linter(const std::string &name, const std::string &source)
        : name_(name), text_(without_comments(source)) {}
    std::vector<std::string> run();

  private:
    void word(const std::string &word);
    void punctuation(char c);
    void refuse(const std::string &what) {
        findings_.push_back(name_ + ":" + std::to_string(line_) + ": " + what);
    }
    bool in_the_macro() const;

    std::string name_, text_, previous_;
    size_t at_ = 0, line_ = 1;
    size_t depth_ = 0, parentheses_ = 0;
    bool template_ahead_ = false;         // its body is still to come
    std::vector<size_t> template_bodies_; // the depths at which they begin
    std::vector<std::string> findings_;
};

// Is this the line (or its continuation) that defines the macro for dynamic shared memory?
bool Linter::in_the_macro() const {
    size_t begin = text_.rfind('\n', at_);
    while (begin != std::string::npos && begin > 0 && text_[begin - 1] == '\\') {
        begin = text_.rfind('\n', begin - 1);
    }
    begin = begin == std::string::npos ? 0 : begin + 1;
    return text_.compare(begin, 28, "#define REGAL_DYNAMIC_SHARED") == 0;
}

void Linter::word(const std::string &word) {
    const auto refused = refused_words().find(word);
    if (refused != refused_words().end()) {
        refuse("'" + word + "': " + refused->second);
    }
    if (word == "__shared__" && previous_ == "extern" && !in_the_macro()) {
        refuse("'extern __shared__' outside REGAL_DYNAMIC_SHARED");
    } else if (word == "__shared__" && !template_bodies_.empty()) {
        refuse("a static '__shared__' variable in a template, which the stand-in cannot poison");
    }
    template_ahead_ |= word == "template";
    previous_ = word;
}

void Linter::punctuation(char c) {
    if (text_.compare(at_, 3, "<<<") == 0) {
        refuse("'<<<': launch with cudaLaunchKernelEx");
        at_ += 2;
    }
    parentheses_ += c == '(';
    parentheses_ -= c == ')' && parentheses_ > 0;
    if (c == '{') {
        if (template_ahead_ && parentheses_ == 0) {
            template_bodies_.push_back(depth_);
            template_ahead_ = false;
        }
        ++depth_;
    } else if (c == '}' && depth_ > 0) {
        --depth_;
        if (!template_bodies_.empty() && template_bodies_.back() == depth_) {
            template_bodies_.pop_back();
        }
    } else if (c == ';' && parentheses_ == 0) {
        template_ahead_ = false;
    }
}

std::vector<std::string> Linter::run() {
    for (; at_ < text_.size(); ++at_) {
        if (text_[at_] == '\n') {
            ++line_;
        } else if (is_word(text_[at_])) {
            size_t end = at_;
            while (end < text_.size() && is_word(text_[end])) {
                ++end;
            }
            word(text_.substr(at_, end - at_));
            at_ = end - 1;
        } else {
            punctuation(text_[at_]);
        }
    }
    return findings_;
}

} // namespace

std::vector<std::string> lint(const std::string &name, const std::string &source) {
    return Linter(name, source).run();
}
