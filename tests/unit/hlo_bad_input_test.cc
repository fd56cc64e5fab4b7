// What HLO text is refused for, and with which words and line.
#include <gtest/gtest.h>

#include <string>

#include "support/hlo_reading.h"
#include "support/refusal.h"

namespace {

regal_status read(const std::string &text) {
    const std::vector<char> bytes(text.begin(), text.end());
    const regal_read_options options = {.profiles = nullptr, .profile_count = 0};
    regal_graph *graph = nullptr;
    const regal_status status =
        regal_read_hlo(bytes.data(), bytes.size(), "file.hlo", &options, &graph);
    regal_graph_destroy(graph);
    return status;
}

// Two lines of parameters a (f32[4]) and t (a pair), then the given ones.
std::string entry(const std::string &lines) {
    return "ENTRY e {\n a = f32[4] parameter(0)\n t = (s32[], f32[4]) parameter(1)\n" + lines +
           "\n}\n";
}
std::string with_sum(const std::string &lines) {
    return "sum { x = f32[] parameter(0)\n y = f32[] parameter(1)\n z = f32[] add(x, y) }\n" +
           entry(lines);
}

struct BadInput {
    const char *name;
    std::string text, message;
};
void PrintTo(const BadInput &input, std::ostream *out) {
    *out << input.text;
}

class HloBadInput : public testing::TestWithParam<BadInput> {};

TEST_P(HloBadInput, IsRefusedWithItsPlace) {
    EXPECT_TRUE(refused_with(read(GetParam().text), REGAL_INVALID_INPUT, GetParam().message));
}

const BadInput bad_inputs[] = {
    {"NoComputation", "HloModule m\n", "file.hlo:1: no computation"},
    {"OnlyComments", "// nothing\n/* at all", "file.hlo:1: no computation"},
    {"UnknownOperand", entry(" b = f32[4] add(a,\n  c)"), "file.hlo:5: unknown operand 'c' of 'b'"},
    {"OperandDefinedLater", entry(" b = f32[4] negate(c)\n c = f32[4] negate(a)"),
     "file.hlo:4: unknown operand 'c'"},
    {"OperandOfAnotherComputation", with_sum(" b = f32[4] negate(x)"), "unknown operand 'x'"},
    {"DuplicateInstruction", entry(" b = f32[4] negate(a)\n a = f32[4] negate(b)"),
     "file.hlo:5: duplicate name 'a': an instruction in line 2 has it already"},
    {"DuplicateComputation", "f { x = f32[] parameter(0) }\nf { x = f32[] parameter(0) }",
     "file.hlo:2: duplicate name 'f': a computation in line 1 has it already"},
    {"UnknownComputation", entry(" b = f32[] call(a), to_apply=nowhere"),
     "file.hlo:4: unknown computation 'nowhere'"},
    {"UnknownControlPredecessor", entry(" b = f32[4] negate(a), control-predecessors={a, q}"),
     "file.hlo:4: unknown control predecessor 'q'"},
    {"TwoRoots", "e {\n ROOT a = f32[] parameter(0)\n ROOT b = f32[] negate(a) }",
     "file.hlo:3: computation 'e' has two instructions marked ROOT"},
    {"TwoEntries", "ENTRY e { a = f32[] parameter(0) }\nENTRY f { a = f32[] parameter(0) }",
     "file.hlo:2: a second ENTRY"},
    {"TwoModules", "HloModule a\nHloModule b\n", "file.hlo:2: a second HloModule"},
    {"EmptyComputation", "e {\n}", "file.hlo:1: computation 'e' has no instructions"},
    {"UnbalancedBody", "e {\n a = f32[] parameter(0)\n",
     "file.hlo:1: unbalanced braces: computation 'e' is not closed"},
    {"UnbalancedAttribute", entry(" b = f32[4] negate(a), metadata={x={{y}"),
     "file.hlo:4: unbalanced brackets: one opened here is not closed"},
    {"UnbalancedLiteral", "e {\n a = f32[2] constant({1, 2)\n}",
     "file.hlo:2: unbalanced brackets: ')' closes another kind"},
    {"UnendedText", entry(" b = f32[4] negate(a), metadata={x=\"y}"), "a quoted text does not end"},
    {"TrailingBrace", "e { a = f32[] parameter(0) }\n}", "file.hlo:2: a computation is expected"},
    {"NoOpcode", entry(" b = f32[4]"), "instruction 'b' has no opcode"},
    {"NoShape", entry(" b = add(a, a)"), "bad shape: 'add' is no type of elements"},
    {"NoBrackets", entry(" b = f32[4] add a"), "'(' is expected behind an opcode, not 'a'"},
    {"NoEqualSign", entry(" b f32[4] add(a, a)"), "'=' is expected behind an instruction's name"},
    {"NoComma", entry(" b = f32[4] add(a a)"), "',' or ')' is expected behind an operand of 'b'"},
    {"EndsAfterName", "e", "the text ends where '{' is expected"},
    {"EndsAfterHeader", "HloModule", "the text ends where the module's name is expected"},
    {"NulByte", std::string("e { a = f32[] parameter(0)\n\0 }", 30),
     "file.hlo:2: an instruction is expected, not the byte 0x00"},
    {"NotUtf8", "\xff\xfe", "not the byte 0xff"},
    {"UnknownType", "e { a = q8[2] parameter(0) }", "bad shape: 'q8' is no type of elements"},
    {"NegativeDimension", "e { a = f32[-1] parameter(0) }", "bad shape: a dimension must be"},
    {"HugeDimension", "e { a = f32[9223372036854775808] parameter(0) }",
     "bad shape: a dimension must be"},
    {"HugeShape", "e {\n a = f32[4294967296,4294967296] parameter(0) }",
     "file.hlo:2: bad shape: more than 2^53 bytes"},
    {"UnboundedDimension", "e { a = f32[?] parameter(0) }", "a dimension without a bound"},
    {"UnclosedTuple", "e { a = (f32[], parameter(0) }", "bad shape"},
    {"UnclosedDimensions", "e { a = f32[2 parameter(0) }", "bad shape: ',' or ']' is expected"},
    {"BadSignature", "e (a: f32[]) { a = f32[] parameter(0) }",
     "'-' is expected behind the parameters"},
    {"SignatureWithoutShape", "e (a: f32[]) -> { a = f32[] parameter(0) }",
     "a shape is expected behind '->'"},
    {"ParameterWithoutNumber", "e { a = f32[] parameter() }", "parameter 'a' has no number"},
    {"ParameterTwice", "e { a = f32[] parameter(0)\n b = f32[] parameter(0) }",
     "file.hlo:2: parameter 'b' has number 0, which another one has already"},
    {"ParameterSkipped", "e { a = f32[] parameter(1) }",
     "parameter 'a' has number 1, but there are 1 of them"},
    {"ElementWithoutIndex", entry(" b = s32[] get-tuple-element(t)"),
     "file.hlo:4: get-tuple-element 'b' has no index"},
    {"ElementOutOfRange", entry(" b = s32[] get-tuple-element(t), index=2"),
     "takes element 2 of 't', which has no such element"},
    {"ElementOfNoTuple", entry(" b = s32[] get-tuple-element(a), index=0"),
     "which has no such element"},
    {"ElementOfOtherShape", entry(" b = (s32[], s32[]) get-tuple-element(t), index=0"),
     "'b' has not the shape of element 0"},
    {"TupleOfOtherShape", entry(" b = (f32[4], f32[4]) tuple(a)"),
     "the shape of tuple 'b' has 2 arrays, but its operands have 1"},
    {"BarrierOfOtherShape", entry(" b = f32[4] opt-barrier(t)"),
     "'b' has not the shape of its operand"},
    {"ReduceWithoutFunction", entry(" b = f32[] reduce(a, a), dimensions={0}"),
     "file.hlo:4: reduce 'b' has no to_apply"},
    {"FusionWithoutCalls", entry(" b = f32[4] fusion(a), kind=kLoop"), "fusion 'b' has no calls"},
    {"FusionOfOtherArity", with_sum(" b = f32[4] fusion(a), kind=kLoop, calls=sum"),
     "file.hlo:7: 'b' has 1 operands, but 'sum' has 2 parameters"},
    {"CallWithoutFunction", entry(" b = f32[4] call(a)"), "'b' has no to_apply"},
    {"AsyncWithoutCalls", entry(" b = ((f32[4]), f32[4]) async-start(a)"), "'b' has no calls"},
    {"ConditionalWithoutBranches", entry(" b = f32[4] conditional(a, a)"),
     "conditional 'b' has no branches"},
    {"ConvolutionWithoutLabels", entry(" b = f32[4] convolution(a, a), window={size=1}"),
     "convolution 'b' has no dim_labels"},
    {"ConvolutionWithoutKernel", entry(" b = f32[4] convolution(a), dim_labels=b0f_0io->b0f"),
     "convolution 'b' has no kernel"},
    {"ProductOfOne", entry(" b = f32[4] dot(a)"), "dot 'b' has no second operand"},
    {"WindowMissing", with_sum(" b = f32[4] reduce-window(a, a), to_apply=sum"),
     "reduce-window 'b' has no window"},
    {"LoopWithoutBody", with_sum(" b = f32[4] while(a), condition=sum"),
     "'b' has 1 operands, but 'sum' has 2 parameters"},
    {"LoopWithoutCondition", with_sum(" b = f32[4] while(a), body=sum"), "'b' has no condition"},
    {"CallOfOtherArity", with_sum(" b = f32[] call(a), to_apply=sum"),
     "'b' has 1 operands, but 'sum' has 2 parameters"},
    {"CallOfOtherShape", with_sum(" b = f32[] call(a, t), to_apply=sum"),
     "operand 1 of 'b' has not the shape of the parameter of 'sum'"},
    {"CallOfOtherResult", with_sum(" b = (f32[], f32[]) call(a, a), to_apply=sum"),
     "'b' has not the shape of the result of 'sum'"},
    {"CycleOfOne", "ENTRY e {\n a = f32[] parameter(0)\n b = f32[] call(a), to_apply=e }",
     "file.hlo:1: a cycle of computations that call each other: e -> e"},
    {"CycleOfThree",
     "f { a = f32[] parameter(0)\n b = f32[] call(a), to_apply=g }\n"
     "g { a = f32[] parameter(0)\n b = f32[] call(a), to_apply=h }\n"
     "h { a = f32[] parameter(0)\n b = f32[] call(a), to_apply=f }",
     "file.hlo:1: a cycle of computations that call each other: f -> g -> h -> f"},
    {"DonationOfNoParameter",
     "HloModule m, input_output_alias={ {}: (7, {}, may-alias) }\n" +
         entry(" b = f32[4] add(a, a)"),
     "file.hlo:1: input_output_alias: the entry has no parameter 7"},
    {"DonationToNoOutput",
     "HloModule m, input_output_alias={ {3}: (0, {}) }\n" + entry(" b = f32[4] add(a, a)"),
     "input_output_alias: {3}: (0, {}) leads to no array"},
    {"DonationWithoutNumber",
     "HloModule m, input_output_alias={ {}: (x) }\n" + entry(" b = f32[4] add(a, a)"),
     "a number is expected in a list of aliases"},
    {"AliasOfNoOperand",
     entry(" b = f32[4] custom-call(a), output_to_operand_aliasing={{}: (1, {})}"),
     "'b' has no operand 1"},
    {"AliasOfNoArray",
     entry(" b = f32[4] custom-call(a), output_to_operand_aliasing={{2}: (0, {})}"),
     "an alias of 'b' leads to no array"},
    {"EndlessTime",
     "c { a = s32[] parameter(0)\n b = pred[] constant(true) }\n" +
         entry(" i = s32[] constant(0)\n"
               " w = s32[] while(i), condition=c, body={ p = s32[] parameter(0)\n"
               " q = s32[] add(p, p) },\n"
               " backend_config={\"known_trip_count\":{\"n\":\"9223372036854775807\"}}"),
     "file.hlo: ops[0] 'w': cost is 9223372036854775807"},
};

INSTANTIATE_TEST_SUITE_P(Hlo, HloBadInput, testing::ValuesIn(bad_inputs),
                         [](const testing::TestParamInfo<BadInput> &param) {
                             return std::string(param.param.name);
                         });

TEST(HloBadInput, UnknownProfilesAreNamed) {
    const char *const names[] = {"abacus"};
    const regal_read_options options = {.profiles = names, .profile_count = 1};
    regal_graph *graph = nullptr;
    const std::string text = "e { a = f32[] parameter(0) }";
    EXPECT_TRUE(refused_with(regal_read_hlo(text.data(), text.size(), "f", &options, &graph),
                             REGAL_INVALID_ARGUMENT, "'abacus'"));
    EXPECT_EQ(graph, nullptr);
}

TEST(HloBadInput, EveryTruncationIsReadOrRefused) {
    const std::string text = "HloModule m, input_output_alias={ {0}: (0, {}, may-alias) }\n" +
                             with_sum(" c = f32[] constant(0)\n b = f32[] reduce(a, c), "
                                      "dimensions={0}, to_apply=sum, metadata={op_name=\"b\"}\n"
                                      " ROOT r = (f32[], f32[4]{0}) tuple(b, a)");
    for (size_t size = 0; size < text.size(); ++size)
        read(text.substr(0, size));
    EXPECT_EQ(read(text), REGAL_OK) << regal_error_message();
}

std::string repeated(const std::string &part, int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += part;
    return text;
}

TEST(HloBadInput, DeepNestingIsNoDanger) {
    EXPECT_TRUE(refused_with(read("e { a = " + repeated("(", 200000)), REGAL_INVALID_INPUT, ""));
    EXPECT_TRUE(refused_with(read(entry(" b = f32[4] negate(a), x=" + repeated("{", 200000))),
                             REGAL_INVALID_INPUT, "unbalanced"));
    EXPECT_EQ(read("e { a = " + repeated("(", 100000) + repeated(")", 100000) + " parameter(0) }"),
              REGAL_OK)
        << regal_error_message();
    EXPECT_TRUE(refused_with(
        read(repeated("e { a = f32[] parameter(0)\n b = f32[] call(a), to_apply={ ", 1) +
             repeated("a = f32[] parameter(0)\n b = f32[] call(a), to_apply={ ", 1000) +
             "a = f32[] parameter(0)" + repeated("}", 1002)),
        REGAL_INVALID_INPUT, "nested more than 32 deep"));
}

TEST(HloBadInput, LongChainsOfCallsAreNoDanger) {
    std::string text = "f0 { a = f32[] parameter(0)\n b = f32[] negate(a) }\n";
    for (int i = 1; i < 20000; ++i)
        text += "f" + std::to_string(i) +
                " { a = f32[] parameter(0)\n b = f32[] call(a), to_apply=f" +
                std::to_string(i - 1) + " }\n";
    EXPECT_EQ(read(text), REGAL_OK) << regal_error_message();
}

TEST(HloBadInput, TuplesUsedTooOftenAreRefusedEarly) {
    std::string text = "e { t = (" + repeated("s8[],", 100000) + ") parameter(0)\n";
    for (int i = 0; i < 20000; ++i)
        text += "a" + std::to_string(i) + " = s8[] custom-call(t)\n";
    EXPECT_TRUE(refused_with(read(text + "}"), REGAL_INVALID_INPUT,
                             "use tuples of too many arrays too often"));
    EXPECT_EQ(read("e { t = (" + repeated("s8[],", 100000) +
                   ") parameter(0)\n a = s8[] custom-call(" + repeated("t,", 100000) + "t) }"),
              REGAL_OK)
        << regal_error_message();
}

} // namespace
