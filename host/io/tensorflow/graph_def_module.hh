// Inside libregal_tensorflow.so: a parsed GraphDef, MetaGraphDef or SavedModel.
#ifndef REGAL_IO_TENSORFLOW_GRAPH_DEF_MODULE_HH
#define REGAL_IO_TENSORFLOW_GRAPH_DEF_MODULE_HH

#include <string>
#include <vector>

#include <google/protobuf/arena.h>

#include "graph_def.pb.h"
#include "io/tensorflow/graph_def_module.h"

struct regal_tf_file {
    google::protobuf::Arena arena;
    google::protobuf::Message *whole = nullptr;
    regal::tensorflow::SavedModel *saved = nullptr; // of a SavedModel
    regal::tensorflow::MetaGraph *meta = nullptr;   // the selected one, where there is one
    regal::tensorflow::Graph *graph = nullptr;      // the selected one
    std::vector<std::string> outputs;
};

// Makes meta, graph and outputs those of this meta graph, or of the file's graph.
void RegalSelect(regal_tf_file *file, int64_t meta);

regal_status RegalGraphDefParse(const char *data, size_t size, regal_graph_def_form form, bool text,
                                bool strict, regal_notice_handler *notice, void *context,
                                regal_tf_file **file);
regal_status RegalGraphDefCreate(regal_tf_file **file);
bool RegalGraphDefUnknown(const regal_tf_file *file, char *text, size_t room);
void RegalGraphDefDropUnknown(regal_tf_file *file);
regal_status RegalGraphDefSerialize(const regal_tf_file *file, bool text, char **data,
                                    size_t *size);

const regal_graph_def_module *RegalGraphDefModule();

#endif
