// GraphDef, MetaGraphDef and SavedModel: from bytes and back.
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <set>

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/unknown_field_set.h>

#include "graph_def_module.hh"

namespace {

using google::protobuf::Arena;

struct Listener {
    regal_notice_handler *notice;
    void *context;
};

// Passes on the first error, and one warning for each unknown field; strict: that is the error.
class Notices : public google::protobuf::io::ErrorCollector {
  public:
    Notices(const Listener &listener, bool strict) : listener_(listener), strict_(strict) {}

    void AddError(int line, int column, const std::string &message) override {
        if (failed_)
            return;
        failed_ = true;
        Send(true, line, column, message);
    }

    void AddWarning(int line, int column, const std::string &message) override {
        const std::string what = Unknown(message);
        if (strict_)
            AddError(line, column, what + " cannot be kept: leave it out with --drop-unknown");
        else if (warned_.insert(what).second)
            Send(false, line, column, what + " is left out");
    }

    bool failed() const { return failed_; }

  private:
    // Protobuf: 'Message type "T" has no field named "f".', 'Unknown enumeration value of "V" for
    // field "f".'
    static std::string Unknown(const std::string &message) {
        const size_t end = message.rfind('"');
        const size_t begin =
            end == std::string::npos || end == 0 ? std::string::npos : message.rfind('"', end - 1);
        if (begin == std::string::npos)
            return message;
        const std::string field = message.substr(begin, end - begin + 1);
        return (message.compare(0, 11, "Unknown enu") == 0 ? "an unknown value of field "
                                                           : "unknown field ") +
               field;
    }

    void Send(bool error, int line, int column, const std::string &message) {
        listener_.notice(listener_.context, error, line + 1, column + 1, message.c_str());
    }

    Listener listener_;
    bool strict_;
    std::set<std::string> warned_;
    bool failed_ = false;
};

const char *NameOf(regal_graph_def_form form) {
    return form == REGAL_GRAPH_DEF_SAVED  ? "SavedModel"
           : form == REGAL_GRAPH_DEF_META ? "MetaGraphDef"
                                          : "GraphDef";
}

bool ParseText(const char *data, int size, regal_graph_def_form form, bool strict,
               const Listener &listener, google::protobuf::Message *content) {
    Notices notices(listener, strict);
    google::protobuf::TextFormat::Parser parser;
    parser.RecordErrorsTo(&notices);
    parser.AllowUnknownField(true);
    parser.AllowUnknownExtension(true);
    parser.SetRecursionLimit(100);
    google::protobuf::io::ArrayInputStream stream(data, size);
    const bool parsed = parser.Parse(&stream, content);
    if (!parsed && !notices.failed())
        notices.AddError(-1, -1, std::string("not the text form of a ") + NameOf(form));
    return parsed && !notices.failed();
}

bool ParseBinary(const char *data, int size, regal_graph_def_form form, const Listener &listener,
                 google::protobuf::Message *content) {
    google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t *>(data), size);
    if (content->ParseFromCodedStream(&stream) && stream.ConsumedEntireMessage())
        return true;
    const std::string message = std::string("not a binary ") + NameOf(form) +
                                ": malformed or cut short at byte " +
                                std::to_string(stream.CurrentPosition()) + " or in what it is in";
    listener.notice(listener.context, true, 0, 0, message.c_str());
    return false;
}

void Make(regal_tf_file *file, regal_graph_def_form form) {
    if (form == REGAL_GRAPH_DEF_SAVED)
        file->whole = file->saved =
            Arena::CreateMessage<regal::tensorflow::SavedModel>(&file->arena);
    else if (form == REGAL_GRAPH_DEF_META)
        file->whole = file->meta = Arena::CreateMessage<regal::tensorflow::MetaGraph>(&file->arena);
    else
        file->whole = file->graph = Arena::CreateMessage<regal::tensorflow::Graph>(&file->arena);
}

} // namespace

regal_status RegalGraphDefParse(const char *data, size_t size, regal_graph_def_form form, bool text,
                                bool strict, regal_notice_handler *notice, void *context,
                                regal_tf_file **file) {
    *file = nullptr;
    const Listener listener{notice, context};
    if (size > INT_MAX) {
        notice(context, true, 0, 0, "larger than 2 GiB, the limit of protobuf");
        return REGAL_INVALID_INPUT;
    }
    regal_tf_file *made = nullptr;
    try {
        google::protobuf::LogSilencer silencer;
        made = new regal_tf_file;
        Make(made, form);
        const int length = static_cast<int>(size);
        if (text ? ParseText(data, length, form, strict, listener, made->whole)
                 : ParseBinary(data, length, form, listener, made->whole)) {
            if (made->saved == nullptr || made->saved->meta_graphs_size() > 0) {
                RegalSelect(made, 0);
                *file = made;
                return REGAL_OK;
            }
            notice(context, true, 0, 0, "a SavedModel without a graph");
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

regal_status RegalGraphDefCreate(regal_tf_file **file) {
    *file = nullptr;
    regal_tf_file *made = nullptr;
    try {
        made = new regal_tf_file;
        Make(made, REGAL_GRAPH_DEF_GRAPH);
        *file = made;
        return REGAL_OK;
    } catch (...) {
        delete made;
        return REGAL_OUT_OF_MEMORY;
    }
}

namespace {

// Messages nest as deeply as the parser lets them, a hundred levels.
bool FindUnknown(const google::protobuf::Message &message, std::string *where) {
    const google::protobuf::Reflection *reflection = message.GetReflection();
    const google::protobuf::UnknownFieldSet &unknown = reflection->GetUnknownFields(message);
    if (!unknown.empty()) {
        *where = "field " + std::to_string(unknown.field(0).number()) + " of a " +
                 message.GetDescriptor()->name();
        return true;
    }
    std::vector<const google::protobuf::FieldDescriptor *> fields;
    reflection->ListFields(message, &fields);
    for (const google::protobuf::FieldDescriptor *field : fields) {
        if (field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE)
            continue;
        if (!field->is_repeated()) {
            if (FindUnknown(reflection->GetMessage(message, field), where))
                return true;
            continue;
        }
        for (int i = 0; i < reflection->FieldSize(message, field); ++i)
            if (FindUnknown(reflection->GetRepeatedMessage(message, field, i), where))
                return true;
    }
    return false;
}

} // namespace

bool RegalGraphDefUnknown(const regal_tf_file *file, char *text, size_t room) {
    std::string where;
    if (!FindUnknown(*file->whole, &where))
        return false;
    std::snprintf(text, room, "%s", where.c_str());
    return true;
}

void RegalGraphDefDropUnknown(regal_tf_file *file) {
    file->whole->DiscardUnknownFields();
}

namespace {

bool Print(const google::protobuf::Message &whole, bool text, std::string *out) {
    google::protobuf::io::StringOutputStream stream(out);
    if (text) {
        google::protobuf::TextFormat::Printer printer;
        return printer.Print(whole, &stream);
    }
    if (whole.ByteSizeLong() > INT_MAX)
        return false;
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    return whole.SerializeToCodedStream(&coded);
}

} // namespace

regal_status RegalGraphDefSerialize(const regal_tf_file *file, bool text, char **data,
                                    size_t *size) {
    *data = nullptr;
    *size = 0;
    try {
        google::protobuf::LogSilencer silencer;
        std::string out;
        if (!Print(*file->whole, text, &out))
            return REGAL_OUTPUT_FAILED;
        *data = static_cast<char *>(std::malloc(out.size() + 1));
        if (*data == nullptr)
            return REGAL_OUT_OF_MEMORY;
        std::memcpy(*data, out.data(), out.size());
        *size = out.size();
        return REGAL_OK;
    } catch (const std::bad_alloc &) {
        return REGAL_OUT_OF_MEMORY;
    } catch (...) {
        return REGAL_INTERNAL;
    }
}
