#include "io/onnx/onnx_write.h"

#include <climits>
#include <cstdlib>
#include <new>

#include <google/protobuf/unknown_field_set.h>

namespace onnx_module {

using google::protobuf::UnknownField;
using google::protobuf::UnknownFieldSet;
using onnx::NodeProto;

constexpr int node_metadata_field = 9; // NodeProto.metadata_props, which libonnx 1.12 lacks

static bool IsOurs(const UnknownField &field) {
    if (field.number() != node_metadata_field ||
        field.type() != UnknownField::TYPE_LENGTH_DELIMITED)
        return false;
    onnx::StringStringEntryProto entry;
    return entry.ParseFromString(field.length_delimited()) && entry.key().rfind("regal.", 0) == 0;
}

static void Mark(const regal_onnx_mark &mark, NodeProto *node) {
    UnknownFieldSet *fields = node->GetReflection()->MutableUnknownFields(node);
    UnknownFieldSet kept;
    for (int i = 0; i < fields->field_count(); ++i)
        if (!IsOurs(fields->field(i)))
            kept.AddField(fields->field(i));
    for (int64_t i = 0; i < mark.entry_count; ++i) {
        onnx::StringStringEntryProto entry;
        entry.set_key(mark.entries[i].key);
        entry.set_value(mark.entries[i].value);
        kept.AddLengthDelimited(node_metadata_field, entry.SerializeAsString());
    }
    fields->Swap(&kept);
}

void MarkNodes(onnx::GraphProto *graph, const int64_t *order, const regal_onnx_mark *marks,
               int64_t count) {
    google::protobuf::RepeatedPtrField<NodeProto> ordered;
    ordered.Reserve(graph->node_size());
    for (int64_t k = 0; k < count; ++k) {
        NodeProto *node = graph->mutable_node(static_cast<int>(order[k]));
        Mark(marks[order[k]], node);
        ordered.Add()->Swap(node);
    }
    graph->mutable_node()->Swap(&ordered);
}

void Serialize(const onnx::ModelProto &proto, char **bytes, size_t *byte_count) {
    const size_t size = proto.ByteSizeLong();
    if (size > INT_MAX)
        throw Refusal(REGAL_INVALID_ARGUMENT,
                      "as ONNX the model would exceed 2 GiB, the limit of protobuf");
    char *made = static_cast<char *>(std::malloc(size + 1));
    if (made == nullptr)
        throw std::bad_alloc();
    if (!proto.SerializePartialToArray(made, static_cast<int>(size))) {
        std::free(made);
        throw std::runtime_error("the model cannot be written");
    }
    *bytes = made;
    *byte_count = size;
}

// ---- a model made anew

// Remembers that memory ran out.
template <typename Work> static void Try(regal_onnx_draft *draft, Work work) {
    try {
        if (draft != nullptr && !draft->failed)
            work();
    } catch (...) {
        draft->failed = true;
    }
}

regal_onnx_draft *DraftCreate(const char *graph_name, const char *version) {
    regal_onnx_draft *draft = nullptr;
    try {
        draft = new regal_onnx_draft;
    } catch (...) {
        return nullptr;
    }
    Try(draft, [&] {
        draft->proto.set_ir_version(8);
        draft->proto.set_producer_name("regal");
        draft->proto.set_producer_version(version);
        draft->proto.mutable_graph()->set_name(graph_name);
        onnx::OperatorSetIdProto *own = draft->proto.add_opset_import();
        own->set_domain("regal");
        own->set_version(1);
    });
    return draft;
}

void DraftDestroy(regal_onnx_draft *draft) {
    delete draft;
}

void DraftMetadata(regal_onnx_draft *draft, const regal_onnx_entry *entry) {
    Try(draft, [&] {
        onnx::StringStringEntryProto *added = draft->proto.add_metadata_props();
        added->set_key(entry->key);
        added->set_value(entry->value);
    });
}

void DraftParameter(regal_onnx_draft *draft, const regal_onnx_new_value *value) {
    Try(draft, [&] {
        onnx::TensorProto *tensor = draft->proto.mutable_graph()->add_initializer();
        tensor->set_name(value->name);
        tensor->set_data_type(onnx::TensorProto::UINT8);
        tensor->add_dims(value->bytes);
        tensor->set_data_location(onnx::TensorProto::EXTERNAL);
        onnx::StringStringEntryProto *place = tensor->add_external_data();
        place->set_key("location");
        place->set_value("none");
    });
}

void DraftValue(regal_onnx_draft *draft, const regal_onnx_new_value *value) {
    Try(draft, [&] {
        onnx::GraphProto *graph = draft->proto.mutable_graph();
        onnx::ValueInfoProto *info = value->output ? graph->add_output() : graph->add_value_info();
        info->set_name(value->name);
        *info->mutable_type() = TensorType(onnx::TensorProto::UINT8, {value->bytes});
    });
}

static void AddAttribute(const regal_onnx_attribute &given, NodeProto *node) {
    onnx::AttributeProto *attribute = node->add_attribute();
    attribute->set_name(given.name);
    switch (given.type) {
    case REGAL_ONNX_INTEGER:
        attribute->set_type(onnx::AttributeProto::INT);
        attribute->set_i(given.integer);
        break;
    case REGAL_ONNX_FLOAT:
        attribute->set_type(onnx::AttributeProto::FLOAT);
        attribute->set_f(static_cast<float>(given.number));
        break;
    case REGAL_ONNX_TEXT:
        attribute->set_type(onnx::AttributeProto::STRING);
        attribute->set_s(given.text);
        break;
    case REGAL_ONNX_INTEGERS:
        attribute->set_type(onnx::AttributeProto::INTS);
        for (int64_t i = 0; i < given.count; ++i)
            attribute->add_ints(given.integers[i]);
        break;
    case REGAL_ONNX_TEXTS:
        attribute->set_type(onnx::AttributeProto::STRINGS);
        for (int64_t i = 0; i < given.count; ++i)
            attribute->add_strings(given.texts[i]);
        break;
    }
}

void DraftNode(regal_onnx_draft *draft, const regal_onnx_new_node *node) {
    Try(draft, [&] {
        NodeProto *added = draft->proto.mutable_graph()->add_node();
        added->set_name(node->name);
        added->set_op_type(node->kind);
        added->set_domain("regal");
        for (int64_t i = 0; i < node->input_count; ++i)
            added->add_input(node->inputs[i]);
        for (int64_t i = 0; i < node->output_count; ++i)
            added->add_output(node->outputs[i]);
        for (int64_t i = 0; i < node->attribute_count; ++i)
            AddAttribute(node->attributes[i], added);
        Mark(node->mark, added);
    });
}

} // namespace onnx_module
