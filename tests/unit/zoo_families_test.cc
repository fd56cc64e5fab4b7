// Every architecture of the zoo: what is published of it, and what its graphs must be.
#include <algorithm>

#include "support/zoo_graphs.h"

namespace {

using Changes = std::map<std::string, double>;

struct Family {
    const char *file; // zoo_<file>.c
    zoo_architecture *architecture;
};

const Family families[] = {
#define ZOO_FAMILY(family) {#family, zoo_##family##_generate},
#include "graph/zoo_families.def"
};

// The generator's word.
std::string Word(const Family &family) {
    std::string word = family.file;
    std::replace(word.begin(), word.end(), '_', '-');
    return word == "mixture" ? "mixture-of-experts" : word;
}

Values AsValues(const Changes &changes) {
    Values values;
    for (const auto &change : changes)
        values.push_back({change.first.c_str(), change.second});
    return values;
}

// The least of everything that an architecture has a size for, and the options that add ops.
std::vector<Changes> Variants(const std::string &word) {
    const regal_generator_info info = Find(word);
    Changes all;
    for (int64_t i = 0; i < info.parameter_count; ++i)
        all[info.parameters[i].name] = info.parameters[i].standard;
    std::vector<Changes> variants = {{}};
    const auto add = [&](const Changes &changes) {
        for (const auto &change : changes)
            if (all.count(change.first) == 0)
                return;
        variants.push_back(changes);
    };
    add({{"layers", 1}});
    add({{"layers", 2}, {"experts", 3}, {"every", 2}, {"capacity", 125}});
    add({{"layers", 2}, {"heads", 4}, {"key_heads", 2}, {"hidden", 64}});
    add({{"attention", 0}, {"fused", 0}, {"both_ways", 1}, {"layers", 2}});
    add({{"pairs", 0}, {"tables", 3}});
    add({{"bands", 80}, {"blocks", 1}, {"layers", 3}});
    add({{"edge_sets", 2}, {"steps", 2}});
    add({{"cells", 1}, {"skip", 1}});
    add({{"levels", 2}, {"blocks", 1}});
    return variants;
}

bool IsUpdate(const regal_op &op) {
    return std::string(op.kind) == "Adam" || std::string(op.kind) == "Momentum";
}

// ---- published figures

struct Published {
    const char *what;
    zoo_architecture *architecture;
    Changes changes;
    double weights, weight_tolerance;             // share
    double multiply_adds, multiply_add_tolerance; // of one sample; 0: not published
};

TEST(ZooFamilies, HaveThePublishedParametersAndMultiplyAdds) {
    const Published published[] = {
        {"GPT-2", zoo_gpt_generate, {}, 124439808, 0, 0, 0},
        {"GPT-2 medium",
         zoo_gpt_generate,
         {{"layers", 24}, {"hidden", 1024}, {"heads", 16}},
         354823168,
         0,
         0,
         0},
        {"Llama 2 7B", zoo_llama_generate, {}, 6738415616, 0, 0, 0},
        {"Llama 2 70B",
         zoo_llama_generate,
         {{"layers", 80},
          {"hidden", 8192},
          {"heads", 64},
          {"key_heads", 8},
          {"feed_forward", 28672}},
         68976648192,
         0,
         0,
         0},
        {"Mixtral 8x7B", zoo_mixture_generate, {}, 46702792704, 0, 0, 0},
        // 12.9e9 active ones per token.
        {"Mixtral 8x7B, one token",
         zoo_mixture_generate,
         {{"sequence", 1}, {"capacity", 100}, {"experts", 2}},
         12.9e9,
         0.01,
         12.7e9,
         0.01},
        // 384 M, of which 64 M are recurrent connections (Sutskever et al. 2014).
        {"seq2seq", zoo_seq2seq_generate, {{"attention", 0}}, 384e6, 0.002, 0, 0},
        {"DenseNet-121", zoo_densenet_generate, {}, 7978856, 0, 2.87e9, 0.02},
        {"DenseNet-169", zoo_densenet_generate, {{"depth", 169}}, 14149480, 0, 3.4e9, 0.02},
        {"DenseNet-201", zoo_densenet_generate, {{"depth", 201}}, 20013928, 0, 4.34e9, 0.02},
        {"Inception v3", zoo_inception_generate, {}, 23834568, 0, 5.71e9, 0.01},
        {"U-Net", zoo_unet_generate, {}, 31030658, 0, 0, 0},
        // About 540 M, of 33,762,577 rows (Naumov et al. 2019, Criteo Kaggle).
        {"DLRM", zoo_dlrm_generate, {}, 540e6, 0.01, 0, 0},
        {"NASNet-A mobile", zoo_nasnet_generate, {}, 5289978, 0, 564e6, 0.02},
        {"NASNet-A large",
         zoo_nasnet_generate,
         {{"cells", 6}, {"filters", 168}, {"stem", 96}, {"skip", 1}, {"image", 331}},
         88753150,
         0,
         23.8e9,
         0.02},
        {"MobileNetV2", zoo_mobilenet_generate, {}, 3504872, 0, 300e6, 0.01},
        {"EfficientNet B0", zoo_efficientnet_generate, {}, 5288548, 0, 0.39e9, 0.02},
        {"EfficientNet B4", zoo_efficientnet_generate, {{"scale", 4}}, 19341616, 0, 4.4e9, 0.05},
        {"EfficientNet B7", zoo_efficientnet_generate, {{"scale", 7}}, 66347960, 0, 38e9, 0.05},
        {"ViT-B/16", zoo_vit_generate, {}, 86567656, 0, 17.58e9, 0.01},
        {"ViT-L/16",
         zoo_vit_generate,
         {{"layers", 24}, {"hidden", 1024}, {"heads", 16}, {"feed_forward", 4096}},
         304326632,
         0,
         61.6e9,
         0.01},
        {"Mixer-B/16", zoo_mixer_generate, {}, 59880472, 0, 12.6e9, 0.02},
        // 35.7 M (Ho et al. 2020, CIFAR-10).
        {"DDPM", zoo_diffusion_generate, {}, 35.7e6, 0.002, 6.1e9, 0.02},
        // By hand: 30 layers of 2 x 64 x 128 + 128, 64 x 64 + 64 (but the last) and 64 x 256 + 256,
        // a table of 256 x 64 and the two last layers.
        {"WaveNet",
         zoo_wavenet_generate,
         {},
         30 * (2 * 64 * 128 + 128 + 64 * 256 + 256) + 29 * (64 * 64 + 64) + 256 * 64 +
             2 * (256 * 256 + 256),
         0,
         0,
         0},
        // By hand: 15 steps of two networks from 3 x 128 and 2 x 128, two encoders and a decoder.
        {"MeshGraphNets",
         zoo_graph_network_generate,
         {},
         15 * (5 * 128 * 128 + 2 * (128 + 2 * 129 * 128 + 256)) + (12 + 7 + 2 + 128 + 1) * 128 +
             2 * (2 * 129 * 128 + 256) + 129 * 128 + 129 * 3,
         0,
         0,
         0},
    };
    for (const Published &item : published) {
        for (const Family &family : families)
            if (family.architecture == item.architecture) {
                Changes changes = item.changes;
                changes["training"] = 0;
                changes["batch"] = 1;
                const zoo_totals totals =
                    Totals(item.architecture, Settings(Word(family), changes));
                EXPECT_NEAR((double)totals.weights, item.weights,
                            item.weights * item.weight_tolerance)
                    << item.what;
                if (item.multiply_adds > 0) {
                    EXPECT_NEAR((double)totals.forward_multiply_adds, item.multiply_adds,
                                item.multiply_adds * item.multiply_add_tolerance)
                        << item.what;
                }
            }
    }
}

// ---- every graph

TEST(ZooFamilies, AreGeneratorsByTheirNames) {
    for (const Family &family : families)
        EXPECT_EQ(Find(Word(family)).name, Word(family));
}

TEST(ZooFamilies, TrainEveryWeightOnce) {
    for (const Family &family : families)
        for (const Changes &variant : Variants(Word(family)))
            for (const double parts : {1, 2}) {
                Changes changes = variant;
                changes["microbatches"] = parts;
                changes["batch"] = 4;
                const Graph graph = Generate(Word(family), AsValues(changes));
                ASSERT_NE(graph, nullptr) << family.file;
                ExpectEachWeightIsUpdatedOnce(graph, family.file);
            }
}

// Ops that make something of which nobody makes anything: none but the updates.
TEST(ZooFamilies, HaveNoOpInVain) {
    for (const Family &family : families)
        for (const Changes &variant : Variants(Word(family)))
            for (const double training : {0, 1}) {
                Changes changes = variant;
                changes["training"] = training;
                const Graph graph = Generate(Word(family), AsValues(changes));
                ASSERT_NE(graph, nullptr) << family.file;
                std::set<int64_t> used;
                for (int64_t t = 0; t < regal_graph_tensor_count(graph.get()); ++t) {
                    const regal_tensor tensor = regal_graph_tensor(graph.get(), t);
                    if (tensor.consumer_count > 0 || tensor.output)
                        used.insert(tensor.producer);
                }
                for (int64_t v = 0; v < regal_graph_op_count(graph.get()); ++v) {
                    const regal_op op = regal_graph_op(graph.get(), v);
                    EXPECT_TRUE(used.count(v) == 1 || IsUpdate(op))
                        << family.file << " " << op.name << " training=" << training;
                }
            }
}

TEST(ZooFamilies, InferenceHasOneOutputAndNoGradients) {
    for (const Family &family : families) {
        if (Word(family) == "transformer")
            continue; // two heads
        const Graph graph = Generate(Word(family), {{"training", 0}});
        int64_t outputs = 0;
        for (int64_t t = 0; t < regal_graph_tensor_count(graph.get()); ++t) {
            const regal_tensor tensor = regal_graph_tensor(graph.get(), t);
            outputs += tensor.output;
            EXPECT_EQ(std::string(tensor.name).find(".grad"), std::string::npos) << tensor.name;
        }
        EXPECT_EQ(outputs, 1) << family.file;
        EXPECT_EQ(regal_graph_control_count(graph.get()), 0) << family.file;
    }
}

TEST(ZooFamilies, HaveFiftyToTenThousandOps) {
    for (const Family &family : families)
        for (const double training : {0, 1}) {
            const Graph graph = Generate(Word(family), {{"training", training}});
            EXPECT_GE(regal_graph_op_count(graph.get()), 50) << family.file;
            EXPECT_LE(regal_graph_op_count(graph.get()), 10000) << family.file;
        }
}

// ---- the layers that only some of them use

TEST(ZooFamilies, GatherTheGradientsOfAllPartsOfASplit) {
    const Graph graph = Generate("gpt", {{"layers", 1}});
    const std::string attention = "layer0.attention.";
    EXPECT_EQ(Inputs(graph, FindOp(graph, attention + "split.grad")),
              (std::set<std::string>{attention + "scores.grad_a", attention + "scores.grad_b",
                                     attention + "context.grad_b"}));
    EXPECT_EQ(Inputs(graph, FindOp(graph, attention + "all.grad_weight")),
              (std::set<std::string>{attention + "split.grad", attention + "norm"}));
}

TEST(ZooFamilies, CutTheGradientOfWhatWasJoined) {
    const Graph graph = Generate("unet", {{"levels", 1}});
    // What the level made on the way down, and the up-convolution.
    FindOp(graph, "up0.concat.grad0");
    EXPECT_EQ(Inputs(graph, FindOp(graph, "up0.up.grad_weight")),
              (std::set<std::string>{"up0.concat.grad1", "bottom.part1.relu"}));
}

TEST(ZooFamilies, SendTokensToExpertsSideBySide) {
    const Graph graph = Generate("mixture-of-experts", {{"layers", 1}, {"experts", 3}});
    const std::string layer = "layer0.feed_forward.";
    EXPECT_EQ(Inputs(graph, FindOp(graph, layer + "combine")),
              (std::set<std::string>{layer + "expert0.down", layer + "expert1.down",
                                     layer + "expert2.down", layer + "top"}));
    EXPECT_EQ(Inputs(graph, FindOp(graph, layer + "expert2.dispatch")),
              (std::set<std::string>{layer + "norm", layer + "top"}));
    // The router learns from every expert.
    EXPECT_EQ(Inputs(graph, FindOp(graph, layer + "top.grad")),
              (std::set<std::string>{layer + "top.grad_sum2", layer + "top"}));
}

TEST(ZooFamilies, CarryStatesFromStepToStep) {
    const Graph graph =
        Generate("seq2seq", {{"layers", 1}, {"source", 2}, {"target", 2}, {"attention", 0}});
    const std::string cell = "decoder.layer0.step0.cell";
    EXPECT_EQ(Inputs(graph, FindOp(graph, cell)),
              (std::set<std::string>{"decoder.layer0.step0.gates", "encoder.layer0.step1.cell"}));
    // From the step's output, and from the next step by both of its states.
    EXPECT_EQ(Inputs(graph, FindOp(graph, cell + ".grad")),
              (std::set<std::string>{cell + ".grad_sum1", "decoder.layer0.step1.cell.grad",
                                     "decoder.layer0.step0.gates", "encoder.layer0.step1.cell"}));
    // Four steps of gates share the weight of each of the two layers.
    EXPECT_EQ(CountKind(graph, "Accumulate"), 2);
}

TEST(ZooFamilies, UpdateTheRowsThatWereLookedUp) {
    const Graph graph = Generate("dlrm", {{"batch", 8}, {"rows", 1000000}, {"lookups", 3}});
    for (int64_t t = 0; t < regal_graph_tensor_count(graph.get()); ++t) {
        const regal_tensor tensor = regal_graph_tensor(graph.get(), t);
        if (std::string(tensor.name) == "table0.rows.grad.weight") {
            EXPECT_EQ(tensor.bytes, 8 * 3 * 16 * 2);
            return;
        }
    }
    FAIL() << "no gradient";
}

TEST(ZooFamilies, SayWhatIsWrongWithARecipe) {
    ExpectRefused("gpt", {{"hidden", 100}}, "a multiple of heads");
    ExpectRefused("gpt", {{"sequence", 2048}}, "longer than there are positions");
    ExpectRefused("llama", {{"key_heads", 3}}, "a multiple of key_heads");
    ExpectRefused("mixture-of-experts", {{"top", 9}}, "more than there are experts");
    ExpectRefused("densenet", {{"depth", 122}}, "121, 169, 201 or 264");
    ExpectRefused("unet", {{"image", 100}}, "cannot be halved 4 times");
    ExpectRefused("diffusion", {{"image", 20}}, "cannot be halved 3 times");
    ExpectRefused("diffusion", {{"channels", 100}}, "a multiple of 32");
    ExpectRefused("vit", {{"image", 200}}, "a multiple of patch");
    ExpectRefused("vit", {{"heads", 7}}, "a multiple of heads");
    ExpectRefused("mixer", {{"patch", 15}}, "a multiple of patch");
    ExpectRefused("nasnet", {{"filters", 46}}, "a multiple of 4");
}

} // namespace
