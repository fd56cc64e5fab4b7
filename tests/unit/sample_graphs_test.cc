// The sample graphs are what their README says: each is made again from its command.
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "regal/regal.h"

namespace {

using Graph = std::unique_ptr<regal_graph, decltype(&regal_graph_destroy)>;

const std::string kFolder = REGAL_SOURCE_DIR "/models/graphs/";

// One row of the table.
struct Sample {
    std::string name;
    int64_t ops, tensors, tensor_bytes, parameter_bytes;
    std::string command;
};

std::vector<std::string> Split(const std::string &line, char separator) {
    std::vector<std::string> parts;
    std::stringstream stream(line);
    for (std::string part; std::getline(stream, part, separator);)
        parts.push_back(part);
    return parts;
}

std::vector<Sample> Samples() {
    std::vector<Sample> samples;
    std::ifstream file(kFolder + "README.md");
    for (std::string line; std::getline(file, line);) {
        const std::vector<std::string> cells = Split(line, '|');
        if (cells.size() != 8 || cells[7].find("regal generate") == std::string::npos)
            continue;
        const auto number = [&](int i) { return std::stoll(cells[i]); };
        samples.push_back({Split(cells[1], ' ')[1], number(3), number(4), number(5), number(6),
                           Split(cells[7], '`')[1]});
    }
    return samples;
}

// The graph of a command "regal generate NAME [PARAMETER=VALUE...] -o FILE", with the seed that the
// program takes by default.
Graph Generate(const std::string &command) {
    const std::vector<std::string> words = Split(command, ' ');
    std::vector<regal_parameter_value> values;
    std::vector<std::string> names;
    names.reserve(words.size());
    for (size_t i = 3; i < words.size() && words[i] != "-o"; ++i) {
        const size_t equals = words[i].find('=');
        names.push_back(words[i].substr(0, equals));
        values.push_back(
            {names.back().c_str(), std::strtod(words[i].c_str() + equals + 1, nullptr)});
    }
    regal_graph *graph = nullptr;
    EXPECT_EQ(regal_graph_generate(words[2].c_str(), values.data(), (int64_t)values.size(), 1,
                                   nullptr, &graph),
              REGAL_OK)
        << command << ": " << regal_error_message();
    return Graph(graph, regal_graph_destroy);
}

Graph Read(const std::string &path) {
    regal_graph *graph = nullptr;
    EXPECT_EQ(regal_graph_read(path.c_str(), nullptr, &graph), REGAL_OK) << regal_error_message();
    return Graph(graph, regal_graph_destroy);
}

std::string Digest(const Graph &graph) {
    char digest[17];
    regal_graph_digest(graph.get(), digest);
    return digest;
}

TEST(SampleGraphs, AreMadeByTheirCommands) {
    for (const Sample &sample : Samples()) {
        const std::string file = kFolder + sample.name + ".json";
        const Graph made = Generate(sample.command), read = Read(file);
        ASSERT_TRUE(made && read);
        EXPECT_EQ(Digest(made), Digest(read)) << sample.name;
        EXPECT_STREQ(regal_graph_name(made.get()), regal_graph_name(read.get()));
        EXPECT_NE(sample.command.find("-o models/graphs/" + sample.name + ".json"),
                  std::string::npos);
    }
}

TEST(SampleGraphs, HaveTheFiguresOfTheirRows) {
    for (const Sample &sample : Samples()) {
        const Graph graph = Read(kFolder + sample.name + ".json");
        ASSERT_TRUE(graph);
        int64_t tensor_bytes = 0, parameter_bytes = 0;
        for (int64_t t = 0; t < regal_graph_tensor_count(graph.get()); ++t)
            tensor_bytes += regal_graph_tensor(graph.get(), t).bytes;
        for (int64_t p = 0; p < regal_graph_parameter_count(graph.get()); ++p)
            parameter_bytes += regal_graph_parameter(graph.get(), p).bytes;
        EXPECT_EQ(regal_graph_op_count(graph.get()), sample.ops) << sample.name;
        EXPECT_EQ(regal_graph_tensor_count(graph.get()), sample.tensors) << sample.name;
        EXPECT_EQ(tensor_bytes, sample.tensor_bytes) << sample.name;
        EXPECT_EQ(parameter_bytes, sample.parameter_bytes) << sample.name;
    }
}

TEST(SampleGraphs, AreSmallAndNotMissing) {
    EXPECT_GE(Samples().size(), 5u);
    for (const Sample &sample : Samples()) {
        struct stat status;
        ASSERT_EQ(stat((kFolder + sample.name + ".json").c_str(), &status), 0) << sample.name;
        EXPECT_LT(status.st_size, 400000) << sample.name;
    }
}

} // namespace
