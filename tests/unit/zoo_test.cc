// Architectures as training steps: published totals, and what a backward pass must be.
#include "support/zoo_graphs.h"

namespace {

// ---- published figures

TEST(Zoo, Resnet50HasThePublishedParametersAndMultiplyAdds) {
    const zoo_totals totals =
        Totals(zoo_resnet_generate, Settings("resnet", {{"batch", 1}, {"training", 0}}));
    EXPECT_EQ(totals.weights, 25557032); // 25.6 M
    EXPECT_NEAR((double)totals.forward_multiply_adds, 4.09e9, 0.01e9);
}

TEST(Zoo, DeeperResnetsHaveThePublishedParameters) {
    EXPECT_EQ(Totals(zoo_resnet_generate, Settings("resnet", {{"depth", 101}})).weights, 44549160);
    EXPECT_EQ(Totals(zoo_resnet_generate, Settings("resnet", {{"depth", 152}})).weights, 60192808);
}

TEST(Zoo, BertBaseHasThePublishedParameters) {
    // The encoder with its pooler has 109,482,240; the two heads add theirs.
    const int64_t heads = (768 * 768 + 768) + 2 * 768 + 30522 + (2 * 768 + 2);
    EXPECT_EQ(Totals(zoo_transformer_generate, Settings("transformer", {})).weights,
              109482240 + heads);
}

TEST(Zoo, BertBaseHasThePublishedFlops) {
    // 22.5 GFLOP for a sequence of 128 tokens (TinyBERT, Jiao et al. 2019), without the heads.
    const std::map<std::string, double> one = {{"batch", 1}, {"training", 0}};
    std::map<std::string, double> none = one;
    none["layers"] = 0;
    const int64_t all =
        Totals(zoo_transformer_generate, Settings("transformer", one)).forward_multiply_adds;
    const int64_t heads =
        Totals(zoo_transformer_generate, Settings("transformer", none)).forward_multiply_adds;
    EXPECT_NEAR(2 * (double)(all - heads), 22.4e9, 0.2e9);
}

TEST(Zoo, ParametersOfTheGraphAreTheWeights) {
    EXPECT_EQ(WeightBytes(Generate("resnet", {{"element_bytes", 4}})), 25557032 * 4);
    EXPECT_EQ(WeightBytes(Generate("resnet", {{"element_bytes", 2}})), 25557032 * 2);
    EXPECT_EQ(WeightBytes(Generate("resnet", {{"microbatches", 4}})), 25557032 * 2);
}

// ---- the backward pass

TEST(Zoo, TrainsEveryWeightOnce) {
    for (const char *name : {"transformer", "resnet"})
        for (const double parts : {1, 4}) {
            const Graph graph = Generate(name, {{"microbatches", parts}});
            ExpectEachWeightIsUpdatedOnce(graph, name);
        }
}

TEST(Zoo, BackwardOpsReadTheGradientAndWhatWasSaved) {
    const Graph graph = Generate("transformer", {{"layers", 1}});
    using Names = std::set<std::string>;
    const std::string layer = "layer0.feed_forward.";
    EXPECT_EQ(Inputs(graph, FindOp(graph, layer + "down.grad_input")), Names{layer + "norm.grad"});
    EXPECT_EQ(Inputs(graph, FindOp(graph, layer + "down.grad_weight")),
              (Names{layer + "norm.grad", layer + "gelu"}));
    EXPECT_EQ(Inputs(graph, FindOp(graph, layer + "gelu.grad")),
              (Names{layer + "down.grad_input", layer + "up"}));
    const std::string attention = "layer0.attention.";
    EXPECT_EQ(Inputs(graph, FindOp(graph, attention + "scores.grad_a")),
              (Names{attention + "softmax.grad", attention + "key"}));
    EXPECT_EQ(Inputs(graph, FindOp(graph, attention + "softmax.grad")),
              (Names{attention + "context.grad_a", attention + "softmax"}));
}

TEST(Zoo, AddsUpTheGradientsOfAValueUsedSeveralTimes) {
    const Graph graph = Generate("transformer", {{"layers", 1}});
    // The layer's input feeds query, key, value and the residual: three sums.
    int64_t sums = 0;
    for (int64_t v = 0; v < regal_graph_op_count(graph.get()); ++v)
        sums +=
            std::string(regal_graph_op(graph.get(), v).name).rfind("embeddings.norm.grad_sum", 0) ==
            0;
    EXPECT_EQ(sums, 3);
    EXPECT_EQ(
        Inputs(graph, FindOp(graph, "embeddings.norm.grad")),
        (std::set<std::string>{"embeddings.norm.grad_sum3", "embeddings.add", "embeddings.norm"}));
}

TEST(Zoo, MakesNoGradientForData) {
    const Graph graph = Generate("resnet");
    for (int64_t v = 0; v < regal_graph_op_count(graph.get()); ++v)
        EXPECT_STRNE(regal_graph_op(graph.get(), v).name, "stem.part1.conv.grad_input");
    FindOp(graph, "stem.part1.conv.grad_weight");
}

TEST(Zoo, UpdatesWaitForTheReadersOfTheOldWeight) {
    const Graph graph = Generate("transformer", {{"layers", 1}, {"microbatches", 2}});
    const int64_t update = FindOp(graph, "layer0.feed_forward.up.update");
    std::set<std::string> before;
    for (int64_t i = 0; i < regal_graph_control_count(graph.get()); ++i) {
        const regal_control_edge edge = regal_graph_control(graph.get(), i);
        if (edge.after == update)
            before.insert(regal_graph_op(graph.get(), edge.before).name);
    }
    EXPECT_EQ(before, (std::set<std::string>{"m0.layer0.feed_forward.up.grad_input",
                                             "m1.layer0.feed_forward.up.grad_input"}));
}

TEST(Zoo, AccumulatesGradientsOfMicrobatchesInPlace) {
    const Graph graph = Generate("resnet", {{"microbatches", 2}});
    int64_t accumulated = 0;
    for (int64_t t = 0; t < regal_graph_tensor_count(graph.get()); ++t) {
        const regal_tensor tensor = regal_graph_tensor(graph.get(), t);
        const regal_op producer = regal_graph_op(graph.get(), tensor.producer);
        if (std::strcmp(producer.kind, "Accumulate") == 0) {
            ++accumulated;
            EXPECT_GE(tensor.alias_of, 0);
        }
    }
    EXPECT_EQ(accumulated, CountKind(graph, "Momentum"));
}

TEST(Zoo, TiesTheDecoderToTheTokenEmbedding) {
    const Graph graph = Generate("transformer", {{"layers", 1}});
    std::set<std::string> users;
    for (int64_t p = 0; p < regal_graph_parameter_count(graph.get()); ++p) {
        const regal_parameter parameter = regal_graph_parameter(graph.get(), p);
        for (int64_t i = 0; i < parameter.op_count; ++i)
            if (std::string("embeddings.token") == parameter.name)
                users.insert(regal_graph_op(graph.get(), parameter.ops[i]).name);
    }
    EXPECT_EQ(users, (std::set<std::string>{"embeddings.token", "masked_tokens.decoder",
                                            "masked_tokens.decoder.grad_input",
                                            "embeddings.token.update"}));
    EXPECT_EQ(CountKind(graph, "Accumulate"), 1);
}

TEST(Zoo, GivesEachWeightOneHome) {
    const Graph graph = Generate("transformer", {{"layers", 1}});
    for (int64_t p = 0; p < regal_graph_parameter_count(graph.get()); ++p) {
        const regal_parameter parameter = regal_graph_parameter(graph.get(), p);
        std::set<std::string> groups;
        for (int64_t i = 0; i < parameter.op_count; ++i) {
            const regal_op op = regal_graph_op(graph.get(), parameter.ops[i]);
            groups.insert(op.group != nullptr ? op.group : op.name);
        }
        EXPECT_EQ(groups.size(), 1u) << parameter.name;
    }
    const Graph free = Generate("transformer", {{"layers", 1}, {"colocate", 0}});
    for (int64_t v = 0; v < regal_graph_op_count(free.get()); ++v)
        EXPECT_EQ(regal_graph_op(free.get(), v).group, nullptr);
}

// ---- inference, costs

TEST(Zoo, InferenceHasNeitherGradientsNorStatistics) {
    const Graph graph = Generate("resnet", {{"training", 0}});
    int64_t outputs = 0;
    for (int64_t t = 0; t < regal_graph_tensor_count(graph.get()); ++t) {
        const regal_tensor tensor = regal_graph_tensor(graph.get(), t);
        EXPECT_EQ(std::string(tensor.name).find("grad"), std::string::npos) << tensor.name;
        EXPECT_EQ(std::string(tensor.name).find("statistics"), std::string::npos) << tensor.name;
        outputs += tensor.output;
    }
    EXPECT_EQ(outputs, 1);
    EXPECT_EQ(regal_graph_control_count(graph.get()), 0);
}

TEST(Zoo, GivesOneCostPerDeviceProfile) {
    const char *profiles[] = {"a100", "h100"};
    const regal_read_options options = {.profiles = profiles, .profile_count = 2};
    regal_graph *made = nullptr;
    ASSERT_EQ(regal_graph_generate("resnet", nullptr, 0, 0, &options, &made), REGAL_OK)
        << regal_error_message();
    const Graph graph(made, regal_graph_destroy);
    ASSERT_EQ(regal_graph_class_count(graph.get()), 2);
    const regal_op conv = regal_graph_op(graph.get(), FindOp(graph, "stem.part1.conv"));
    EXPECT_GT(conv.cost[0], conv.cost[1]);
}

TEST(Zoo, TakesAStepOfPlausibleTime) {
    // One device, ops in sequence; BERT-base and ResNet-50 at batch 32 take some ten milliseconds.
    for (const char *name : {"transformer", "resnet"}) {
        const Graph graph = Generate(name);
        int64_t ticks = 0;
        for (int64_t v = 0; v < regal_graph_op_count(graph.get()); ++v)
            ticks += regal_graph_op(graph.get(), v).cost[0];
        EXPECT_GT(ticks, 5000000) << name;
        EXPECT_LT(ticks, 60000000) << name;
    }
}

TEST(Zoo, SaysWhatIsWrongWithARecipe) {
    ExpectRefused("transformer", {{"hidden", 100}, {"heads", 12}}, "a multiple of heads");
    ExpectRefused("transformer", {{"sequence", 1024}}, "longer than there are positions");
    ExpectRefused("transformer", {{"sequence", 16}}, "predictions (20) are more");
    ExpectRefused("transformer", {{"microbatches", 5}}, "a batch of 32 cannot be run in 5");
    ExpectRefused("resnet", {{"depth", 51}}, "50, 101 or 152");
    ExpectRefused("resnet", {{"element_bytes", 3}}, "2 (bf16) or 4 (f32)");
    ExpectRefused("transformer", {{"batch", 1e6}, {"sequence", 1e7}, {"positions", 1e7}},
                  "the limit is 2^53");
    const char *profiles[] = {"nothing"};
    const regal_read_options options = {.profiles = profiles, .profile_count = 1};
    regal_graph *graph = nullptr;
    EXPECT_EQ(regal_graph_generate("resnet", nullptr, 0, 0, &options, &graph),
              REGAL_INVALID_ARGUMENT);
}

} // namespace
