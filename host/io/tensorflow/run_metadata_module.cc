// TensorFlow's RunMetadata behind the C table of run_metadata_module.h.
#include "run_metadata_module.hh"

#include <climits>
#include <new>
#include <vector>

#include <google/protobuf/arena.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>

#include "run_metadata.pb.h"

struct regal_step_stats {
    google::protobuf::Arena arena;
    std::vector<const regal::tensorflow::NodeStats *> runs;
};

namespace {

using regal::tensorflow::NodeStats;
using regal::tensorflow::RunMetadata;

// Passes on the first error. Fields that are passed over are no news: most are.
class Errors : public google::protobuf::io::ErrorCollector {
  public:
    Errors(regal_notice_handler *notice, void *context) : notice_(notice), context_(context) {}

    void AddError(int line, int column, const std::string &message) override {
        if (!failed_)
            notice_(context_, true, line + 1, column + 1, message.c_str());
        failed_ = true;
    }
    void AddWarning(int, int, const std::string &) override {}

    bool failed() const { return failed_; }

  private:
    regal_notice_handler *notice_;
    void *context_;
    bool failed_ = false;
};

bool ParseText(const char *data, int size, Errors &errors, RunMetadata *content) {
    google::protobuf::TextFormat::Parser parser;
    parser.RecordErrorsTo(&errors);
    parser.AllowUnknownField(true);
    parser.SetRecursionLimit(100);
    google::protobuf::io::ArrayInputStream stream(data, size);
    return parser.Parse(&stream, content);
}

bool ParseContent(const char *data, size_t size, bool text, Errors &errors, RunMetadata *content) {
    if (size > INT_MAX) {
        errors.AddError(-1, -1, "larger than 2 GiB, the limit of protobuf");
        return false;
    }
    const int length = static_cast<int>(size);
    if (text ? ParseText(data, length, errors, content) : content->ParseFromArray(data, length))
        return true;
    errors.AddError(-1, -1, "malformed or cut short: not a RunMetadata");
    return false;
}

regal_status Parse(const char *data, size_t size, bool text, regal_notice_handler *notice,
                   void *context, regal_step_stats **stats) {
    *stats = nullptr;
    regal_step_stats *made = nullptr;
    try {
        google::protobuf::LogSilencer silencer;
        made = new regal_step_stats;
        auto *content = google::protobuf::Arena::CreateMessage<RunMetadata>(&made->arena);
        Errors errors(notice, context);
        if (!ParseContent(data, size, text, errors, content)) {
            delete made;
            return REGAL_INVALID_INPUT;
        }
        for (const auto &device : content->step_stats().dev_stats())
            for (const NodeStats &node : device.node_stats())
                made->runs.push_back(&node);
        *stats = made;
        return REGAL_OK;
    } catch (const std::bad_alloc &) {
        delete made;
        notice(context, true, 0, 0, "memory ran out");
        return REGAL_OUT_OF_MEMORY;
    } catch (...) {
        delete made;
        notice(context, true, 0, 0, "protobuf failed");
        return REGAL_INTERNAL;
    }
}

void Destroy(regal_step_stats *stats) {
    delete stats;
}

int64_t Count(const regal_step_stats *stats) {
    return static_cast<int64_t>(stats->runs.size());
}

// Microseconds as nanoseconds, at the ends of the range rather than past them.
int64_t Nanoseconds(int64_t microseconds) {
    int64_t product;
    if (__builtin_mul_overflow(microseconds, 1000, &product))
        return microseconds < 0 ? INT64_MIN : INT64_MAX;
    return product;
}

// The op itself, where a run tells of it; else with what was done around it.
regal_node_run Run(const regal_step_stats *stats, int64_t index) {
    const NodeStats &node = *stats->runs[static_cast<size_t>(index)];
    const char *name = node.node_name().data();
    const size_t size = node.node_name().size();
    if (node.op_end_rel_nanos() != 0)
        return {name, size, node.op_start_rel_nanos(), node.op_end_rel_nanos()};
    if (node.op_end_rel_micros() != 0)
        return {name, size, Nanoseconds(node.op_start_rel_micros()),
                Nanoseconds(node.op_end_rel_micros())};
    if (node.all_end_rel_nanos() != 0)
        return {name, size, 0, node.all_end_rel_nanos()};
    return {name, size, 0, Nanoseconds(node.all_end_rel_micros())};
}

} // namespace

const regal_run_metadata_module *RegalRunMetadataModule() {
    static const regal_run_metadata_module module = {Parse, Destroy, Count, Run};
    return &module;
}
