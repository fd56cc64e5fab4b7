// HLO text to a module: instructions, shapes, names, and what surrounds them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/hlo/hlo_module.h"
#include "support/hlo_reading.h"
#include "support/warning_list.h"

namespace {

class Module {
  public:
    explicit Module(std::string text) : text_(text.begin(), text.end()) {
        if (regal_hlo_module_parse(&module_, text_.data(), text_.size(), "file.hlo") != REGAL_OK)
            throw std::runtime_error(regal_error_message());
    }
    ~Module() { regal_hlo_module_destroy(&module_); }
    Module(const Module &) = delete;
    Module &operator=(const Module &) = delete;

    const hlo_module &get() const { return module_; }
    int64_t entry_count() const { return module_.computations[module_.entry].count; }
    std::string entry_name() const { return word(module_.computations[module_.entry].name); }
    std::string root_name() const {
        return word(module_.instructions[module_.computations[module_.entry].root].name);
    }
    const hlo_instruction &instruction(const std::string &name) const {
        for (int64_t i = 0; i < module_.instruction_count; ++i)
            if (word(module_.instructions[i].name) == name)
                return module_.instructions[i];
        throw std::runtime_error("no instruction " + name);
    }
    const hlo_node &shape(const std::string &name) const {
        return module_.nodes[instruction(name).shape];
    }
    std::vector<std::string> operands(const std::string &name) const {
        std::vector<std::string> names;
        for (int64_t o = 0; o < instruction(name).operand_count; ++o)
            names.push_back(word(regal_hlo_operand(&module_, &instruction(name), o)->name));
        return names;
    }
    static std::string word(hlo_slice slice) { return std::string(slice.data, slice.size); }

  private:
    std::vector<char> text_;
    hlo_module module_{};
};

using Names = std::vector<std::string>;

struct SharedFile {
    const char *name;
    int64_t entry_instructions, computations;
};
void PrintTo(const SharedFile &file, std::ostream *out) {
    *out << file.name;
}

class HloSharedFile : public testing::TestWithParam<SharedFile> {};

TEST_P(HloSharedFile, IsReadWhole) {
    if (hlo_folder().empty())
        GTEST_SKIP() << "the shared graphs are not here";
    const std::string text = file_text(hlo_folder() + "/" + GetParam().name);
    EXPECT_EQ(Module(text).entry_count(), GetParam().entry_instructions);
    EXPECT_EQ(Module(text).get().computation_count, GetParam().computations);
    const WarningList warnings;
    const HloGraph graph(text, {"a100", "cpu"});
    EXPECT_EQ(regal_graph_validate(graph.get()), REGAL_OK) << regal_error_message();
    EXPECT_EQ(warnings.list, Names{});
}

INSTANTIATE_TEST_SUITE_P(Hlo, HloSharedFile,
                         testing::Values(SharedFile{"bench_scan_N2000_M3.hlo", 12, 4},
                                         SharedFile{"dlrm_keras_jax_f32_train_step.hlo", 1012, 74},
                                         SharedFile{"hlo_llama31_70b_bf16_16x8.hlo", 807, 139},
                                         SharedFile{"in_place_dynamic_update_slice_fusion.hlo", 7,
                                                    16},
                                         SharedFile{"layer_norm_1x4096x768_bf16.hlo", 31, 3},
                                         SharedFile{"mha_block_1x12x128x64_bf16.hlo", 35, 3},
                                         SharedFile{"resnet50_keras_jax_f32.hlo", 1699, 16},
                                         SharedFile{"u4_all_gather_1x8.hlo", 2, 1},
                                         SharedFile{"xnn.parallel_dots.optimized.hlo", 17, 6},
                                         SharedFile{"xnn.sequential_dots.optimized.hlo", 14, 6}),
                         [](const testing::TestParamInfo<SharedFile> &param) {
                             std::string name = param.param.name;
                             for (char &c : name)
                                 if (!isalnum(static_cast<unsigned char>(c)))
                                     c = '_';
                             return name;
                         });

TEST(HloParser, TakesThreeStylesOfOperands) {
    for (const char *operands : {"a, b", "%a, %b", "f32[2]{0} %a, f32[2] %b", "f32[2] a,f32[2]b",
                                 "/*index=0*/a, // the first\n b"}) {
        const Module module(std::string("ENTRY e {\n a = f32[2] parameter(0)\n"
                                        " b = f32[2] parameter(1)\n ROOT c = f32[2] add(") +
                            operands + ")\n}");
        EXPECT_EQ(module.operands("c"), (Names{"a", "b"})) << operands;
    }
}

TEST(HloParser, TakesTupleTypedOperands) {
    const Module module("e { t = (s32[], (f32[3]{0}, pred[])) parameter(0)\n"
                        " g = f32[3] get-tuple-element((s32[], (f32[3]{0}, /*index=1*/pred[])) "
                        "%t), index=1 }");
    EXPECT_EQ(module.operands("g"), Names{"t"});
}

TEST(HloParser, TakesNamesWithAndWithoutPercent) {
    const Module module("%e.1 (p: f32[]) -> f32[] {\n%p-q.r_s = f32[] parameter(0)\n"
                        "ROOT 7 = f32[] negate(p-q.r_s)\n}");
    EXPECT_EQ(module.entry_name(), "e.1");
    EXPECT_EQ(module.operands("7"), Names{"p-q.r_s"});
}

TEST(HloParser, SkipsHeadersTablesAndComments) {
    const Module module(R"(// made by hand
/* HloModule not_this */
HloModule m, is_scheduled=true, entry_computation_layout={(f32[2]{0})->f32[2]{0}},
  frontend_attributes={a="}{",b="\""}, replica_count=8
FileNames
1 "a b.py"
2 "<embedded module \'_launcher\'>"

FunctionNames
FileLocations
1 {file_name_id=1 function_name_id=1 line=6 end_line=6}

StackFrames
1 {file_location_id=1 parent_frame_id=1}

ENTRY %FileNames { ROOT p = f32[2] parameter(0) /* } */ // }
}, execution_thread="main"
)");
    EXPECT_EQ(Module::word(module.get().name), "m");
    EXPECT_EQ(module.entry_name(), "FileNames");
    EXPECT_EQ(module.entry_count(), 1);
}

TEST(HloParser, TakesTheLastComputationWhereNoneIsTheEntry) {
    const Module module("a { x = f32[] parameter(0) }\nb { y = f32[] parameter(0) }");
    EXPECT_EQ(module.entry_name(), "b");
    EXPECT_EQ(
        Module("ENTRY a { x = f32[] parameter(0) }\nb { y = f32[] parameter(0) }").entry_name(),
        "a");
}

TEST(HloParser, TakesTheLastInstructionWhereNoneIsTheRoot) {
    EXPECT_EQ(Module("e { x = f32[] parameter(0)\n y = f32[] negate(x) }").root_name(), "y");
    EXPECT_EQ(Module("e { ROOT x = f32[] parameter(0)\n y = f32[] negate(x) }").root_name(), "x");
    EXPECT_EQ(Module("e { x = f32[] parameter(0)\n ROOT = f32[] negate(x)\n z = f32[] negate(x) }")
                  .root_name(),
              "z");
}

TEST(HloParser, KeepsNamesOfComputationsApart) {
    const Module module("f { a = f32[] parameter(0)\n b = f32[] negate(a) }\n"
                        "ENTRY e { a = f32[] parameter(0)\n"
                        " b = f32[] call(a), to_apply=f }");
    EXPECT_EQ(module.entry_count(), 2);
}

TEST(HloParser, LooksThroughShapes) {
    const Module module("e { a = bf16[2,3,4]{2,1,0:T(8,128)(2,1)S(1)} parameter(0)\n"
                        " b = f32[<=7,2]{1,0} parameter(1)\n c = u4[5]{0:E(4)} parameter(2)\n"
                        " d = (f32[2], ((), (s8[3], pred[])), token[]) parameter(3)\n"
                        " e = f64[0,9223372036854775807,9] parameter(4)\n f = c64[] parameter(5)\n"
                        " g = () parameter(6)\n}");
    EXPECT_EQ(module.shape("a").elements, 24);
    EXPECT_EQ(module.shape("a").bytes, 48);
    EXPECT_TRUE(module.shape("a").tiled);
    EXPECT_EQ(module.shape("b").bytes, 56);
    EXPECT_FALSE(module.shape("b").tiled);
    EXPECT_EQ(module.shape("c").bytes, 3);
    EXPECT_EQ(module.shape("d").leaf_count, 4);
    EXPECT_EQ(module.shape("d").child_count, 3);
    EXPECT_EQ(module.shape("d").bytes, 8 + 3 + 1);
    const hlo_node *inner =
        regal_hlo_child(&module.get(), regal_hlo_child(&module.get(), &module.shape("d"), 1), 1);
    EXPECT_EQ(inner->first_leaf, 1);
    EXPECT_EQ(inner->leaf_count, 2);
    EXPECT_EQ(module.shape("e").bytes, 0);
    EXPECT_EQ(module.shape("f").bytes, 8);
    EXPECT_EQ(module.shape("g").leaf_count, 0);
    EXPECT_EQ(regal_hlo_array(&module.get(), &module.shape("g")), nullptr);
}

TEST(HloParser, TakesEveryTypeOfElements) {
    for (int t = 0; t < REGAL_TYPE_COUNT; ++t) {
        const std::string type = regal_type_name((regal_type)t);
        const Module module("e { a = " + type + "[3] parameter(0) }");
        EXPECT_EQ(module.shape("a").type, t) << type;
    }
}

TEST(HloParser, TakesAttributesInAnyOrder) {
    const Module module(R"(f { x = f32[] parameter(0) }
e { p = f32[4] parameter(0)
  a = f32[4] fusion(p), metadata={op_type="}" op_name="a, calls=%no"}, kind=kLoop,
    backend_config={"fusion": {kind: "__ynn", "s": "\"}"}}, calls=%f, sharding={devices=[2,1]<=[2]T(1,0)}
  b = f32[4] custom-call(p), custom_call_target="t}", operand_layout_constraints={f32[4]{0}}, api_version=API
  c = f32[2,2] dot(p, p), rhs_contracting_dims={0}, lhs_contracting_dims={0}, replica_groups=[2,64]<=[128]
})");
    const hlo_instruction &a = module.instruction("a");
    EXPECT_EQ(a.call_count, 1);
    EXPECT_EQ(regal_hlo_call_find(&module.get(), &a, HLO_KEY_CALLS), 0);
    EXPECT_EQ(Module::word(regal_hlo_attribute_find(&module.get(), &module.instruction("b"),
                                                    HLO_KEY_CUSTOM_CALL_TARGET)),
              "\"t}\"");
    EXPECT_EQ(Module::word(regal_hlo_attribute_find(&module.get(), &module.instruction("c"),
                                                    HLO_KEY_LHS_CONTRACTING_DIMS)),
              "{0}");
}

TEST(HloParser, TakesListsOfComputations) {
    const Module module("f { x = f32[] parameter(0) } g { x = f32[] parameter(0) }\n"
                        "e { p = s32[] parameter(0)\n q = f32[] parameter(1)\n"
                        " c = f32[] conditional(p, q, q, q), branch_computations={%f, g,%f} }");
    EXPECT_EQ(module.instruction("c").call_count, 3);
}

TEST(HloParser, TakesComputationsWrittenInsideAttributes) {
    const Module module(R"(e {
  p = f32[4] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[] reduce(p, z), dimensions={0}, to_apply={
    a = f32[] parameter(0)
    b = f32[] parameter(1)
    ROOT c = f32[] call(a, b), to_apply={ x = f32[] parameter(0)
      y = f32[] parameter(1)
      ROOT s = f32[] add(x, y) }
  }, metadata={op_name="r"}
})");
    EXPECT_EQ(module.get().computation_count, 3);
    EXPECT_EQ(module.entry_name(), "e");
    EXPECT_EQ(module.operands("s"), (Names{"x", "y"}));
}

TEST(HloParser, CalleesMayStandBehindCallers) {
    EXPECT_EQ(Module("ENTRY e { p = f32[] parameter(0)\n c = f32[] call(p), to_apply=f }\n"
                     "f { x = f32[] parameter(0) }")
                  .instruction("c")
                  .call_count,
              1);
}

TEST(HloParser, SkipsHugeAndNestedLiterals) {
    std::string literal = "{ ";
    for (int i = 0; i < 100000; ++i)
        literal += "{ {1, -2.5e-3}, {nan, -inf} }, ";
    const Module module("e { a = f32[2,2] constant(" + literal +
                        "})\n"
                        " b = (s32[], f32[2]) constant((7, {1,2}))\n c = f32[9] constant({...})\n"
                        " d = f32[2] add(c, c) }");
    EXPECT_EQ(module.entry_count(), 4);
}

TEST(HloParser, KnowsAsynchronousFormsOfEveryOpcode) {
    const Module module("e { p = f32[2] parameter(0)\n"
                        " s = ((f32[2]), f32[2], s32[]) tanh-start(p)\n"
                        " u = ((f32[2]), f32[2], s32[]) tanh-update(s)\n"
                        " d = f32[2] tanh-done(u) }");
    EXPECT_EQ(module.instruction("s").opcode, HLO_ASYNC_START);
    EXPECT_EQ(module.instruction("s").wrapped, HLO_TANH);
    EXPECT_EQ(module.instruction("u").opcode, HLO_ASYNC_UPDATE);
    EXPECT_EQ(module.instruction("d").opcode, HLO_ASYNC_DONE);
}

TEST(HloParser, FindsEveryOpcode) {
    const char *const words[] = {
#define WORD(name, word, form) word,
        HLO_OPCODE_LIST(WORD)
#undef WORD
    };
    for (int o = 0; o < HLO_OPCODE_COUNT; ++o)
        EXPECT_EQ(regal_hlo_opcode_find(words[o], std::string(words[o]).size()), o) << words[o];
    EXPECT_EQ(regal_hlo_opcode_find("ad", 2), HLO_UNKNOWN);
    EXPECT_EQ(regal_hlo_opcode_find("addd", 4), HLO_UNKNOWN);
    EXPECT_EQ(regal_hlo_opcode_find("", 0), HLO_UNKNOWN);
}

TEST(HloParser, WarnsOnceOfEachUnknownOpcode) {
    const WarningList warnings;
    const Module module("e { p = f32[2] parameter(0)\n a = f32[2] frobnicate(p)\n"
                        " b = f32[2] frobnicate(a)\n c = f32[2] twiddle-start(b) }");
    ASSERT_EQ(warnings.list.size(), 2u);
    EXPECT_NE(warnings.list[0].find("file.hlo:2: opcode 'frobnicate' is unknown"),
              std::string::npos)
        << warnings.list[0];
    EXPECT_NE(warnings.list[1].find("'twiddle-start'"), std::string::npos);
}

} // namespace
