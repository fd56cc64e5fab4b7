// TensorFlow's protobuf formats behind the C table of tensorflow_module.h. No exception and no
// output of protobuf leaves this file.
#include "io/tensorflow/tensorflow_module.h"

#include <climits>
#include <new>
#include <set>
#include <string>

#include <google/protobuf/arena.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/wire_format_lite.h>

#include "cost_graph.pb.h"
#include "graph_def_module.hh"
#include "run_metadata_module.hh"

struct regal_cost_graph {
    google::protobuf::Arena arena;
    regal::tensorflow::CostGraph *content = nullptr;
};

namespace {

using google::protobuf::internal::WireFormatLite;

struct Listener {
    regal_notice_handler *notice;
    void *context;
};

// Passes on the first error, and a warning for each unknown field that is not one of the format's.
class Notices : public google::protobuf::io::ErrorCollector {
  public:
    explicit Notices(const Listener &listener) : listener_(listener) {}

    void AddError(int line, int column, const std::string &message) override {
        if (failed_)
            return;
        failed_ = true;
        Send(true, line, column, message);
    }

    void AddWarning(int line, int column, const std::string &message) override {
        static const std::set<std::string> unused = {"cost",
                                                     "device",
                                                     "dtype",
                                                     "shape",
                                                     "compute_time",
                                                     "memory_time",
                                                     "host_temp_memory_size",
                                                     "inaccurate"};
        const std::string field = Quoted(message);
        if (unused.count(field) == 0 && warned_.insert(field).second)
            Send(false, line, column, "unknown field \"" + field + "\" is left out");
    }

    bool failed() const { return failed_; }

  private:
    // What stands between the last pair of double quotes.
    static std::string Quoted(const std::string &message) {
        const size_t end = message.rfind('"');
        const size_t begin =
            end == std::string::npos || end == 0 ? std::string::npos : message.rfind('"', end - 1);
        return begin == std::string::npos ? "" : message.substr(begin + 1, end - begin - 1);
    }

    void Send(bool error, int line, int column, const std::string &message) {
        listener_.notice(listener_.context, error, line + 1, column + 1, message.c_str());
    }

    Listener listener_;
    std::set<std::string> warned_;
    bool failed_ = false;
};

bool ParseText(const char *data, int size, const Listener &listener,
               regal::tensorflow::CostGraph *content) {
    Notices notices(listener);
    google::protobuf::TextFormat::Parser parser;
    parser.RecordErrorsTo(&notices);
    parser.AllowUnknownField(true);
    parser.SetRecursionLimit(100);
    google::protobuf::io::ArrayInputStream stream(data, size);
    if (parser.Parse(&stream, content))
        return true;
    if (!notices.failed())
        notices.AddError(-1, -1, "not the text form of a CostGraphDef");
    return false;
}

// Where a malformed binary file goes wrong: the node, and its place.
std::string Diagnose(const char *data, int size) {
    google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t *>(data), size);
    int node = 0;
    for (;;) {
        const int place = stream.CurrentPosition();
        const std::string at = " at byte " + std::to_string(place);
        const uint32_t tag = stream.ReadTag();
        if (tag == WireFormatLite::MakeTag(1, WireFormatLite::WIRETYPE_LENGTH_DELIMITED)) {
            uint32_t length = 0;
            if (!stream.ReadVarint32(&length) || length > INT_MAX)
                return "node[" + std::to_string(node) + "]" + at + " has no proper length";
            const int left = size - stream.CurrentPosition();
            if (static_cast<int>(length) > left)
                return "the file is cut short: node[" + std::to_string(node) + "]" + at + " has " +
                       std::to_string(length) + " bytes, but " + std::to_string(left) + " are left";
            regal::tensorflow::CostNode content;
            if (!content.ParseFromArray(data + stream.CurrentPosition(), static_cast<int>(length)))
                return "node[" + std::to_string(node) + "]" + at + " is malformed";
            stream.Skip(static_cast<int>(length));
            ++node;
        } else if (tag == 0 || !WireFormatLite::SkipField(&stream, tag)) {
            return "a malformed or cut field" + at;
        }
    }
}

bool ParseBinary(const char *data, int size, const Listener &listener,
                 regal::tensorflow::CostGraph *content) {
    if (content->ParseFromArray(data, size))
        return true;
    const std::string message = "not a binary CostGraphDef: " + Diagnose(data, size);
    listener.notice(listener.context, true, 0, 0, message.c_str());
    return false;
}

regal_status Parse(const char *data, size_t size, bool text, regal_notice_handler *notice,
                   void *context, regal_cost_graph **graph) {
    *graph = nullptr;
    const Listener listener{notice, context};
    if (size > INT_MAX) {
        notice(context, true, 0, 0, "larger than 2 GiB, the limit of protobuf");
        return REGAL_INVALID_INPUT;
    }
    regal_cost_graph *made = nullptr;
    try {
        google::protobuf::LogSilencer silencer;
        made = new regal_cost_graph;
        made->content =
            google::protobuf::Arena::CreateMessage<regal::tensorflow::CostGraph>(&made->arena);
        const int length = static_cast<int>(size);
        if (text ? ParseText(data, length, listener, made->content)
                 : ParseBinary(data, length, listener, made->content)) {
            *graph = made;
            return REGAL_OK;
        }
        delete made;
        return REGAL_INVALID_INPUT;
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

void Destroy(regal_cost_graph *graph) {
    delete graph;
}

int64_t NodeCount(const regal_cost_graph *graph) {
    return graph->content->node_size();
}

const regal::tensorflow::CostNode &At(const regal_cost_graph *graph, int64_t node) {
    return graph->content->node(static_cast<int>(node));
}

regal_cost_node Node(const regal_cost_graph *graph, int64_t index) {
    const regal::tensorflow::CostNode &node = At(graph, index);
    regal_cost_node view = {};
    view.name = node.name().data();
    view.name_size = node.name().size();
    view.id = node.id();
    view.input_count = node.input_info_size();
    view.output_count = node.output_info_size();
    view.control_count = node.control_input_size();
    view.compute_cost = node.compute_cost();
    view.temporary_bytes = node.temporary_memory_size();
    view.device_temporary_bytes = node.device_temp_memory_size();
    view.persistent_bytes = node.persistent_memory_size();
    view.device_persistent_bytes = node.device_persistent_memory_size();
    view.is_final = node.is_final();
    return view;
}

regal_cost_input Input(const regal_cost_graph *graph, int64_t node, int64_t k) {
    const regal::tensorflow::CostInput &input = At(graph, node).input_info(static_cast<int>(k));
    return {input.preceding_node(), input.preceding_port()};
}

regal_cost_output Output(const regal_cost_graph *graph, int64_t node, int64_t k) {
    const regal::tensorflow::CostOutput &output = At(graph, node).output_info(static_cast<int>(k));
    return {output.size(), output.alias_input_port()};
}

int64_t Control(const regal_cost_graph *graph, int64_t node, int64_t k) {
    return At(graph, node).control_input(static_cast<int>(k));
}

} // namespace

extern "C" __attribute__((visibility("default"))) const regal_tensorflow_module *
regal_tensorflow() {
    static const regal_tensorflow_module module = {REGAL_TENSORFLOW_MODULE_VERSION,
                                                   Parse,
                                                   Destroy,
                                                   NodeCount,
                                                   Node,
                                                   Input,
                                                   Output,
                                                   Control,
                                                   RegalGraphDefModule(),
                                                   RegalRunMetadataModule()};
    return &module;
}
