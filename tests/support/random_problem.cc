#include "support/random_problem.h"

#include <algorithm>
#include <numeric>
#include <set>

using Numbers = std::vector<int64_t>;

uint64_t Dice::next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

int64_t Dice::below(int64_t bound) {
    return bound <= 0 ? 0 : static_cast<int64_t>(next() % static_cast<uint64_t>(bound));
}

int64_t Dice::between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
}

bool Dice::chance(int64_t percent) {
    return below(100) < percent;
}

namespace {

// How one case looks as a whole, so that cases differ from each other more than their parts do.
struct Style {
    int64_t ops, devices, classes;
    int64_t greatest_cost, greatest_bytes, greatest_latency;
    int64_t tensors_per_op, consumers, reach; // reach: how far ahead an edge goes
    int64_t percent_alias, percent_output, percent_group, percent_allowed, percent_workspace;
    int64_t controls, parameters;
    bool named; // devices named by type, not by number
};

Style random_style(Dice &dice) {
    Style style{};
    const int64_t size = dice.below(20);
    style.ops = size == 0   ? dice.between(0, 1)
                : size < 8  ? dice.between(2, 8)
                : size < 17 ? dice.between(9, 30)
                            : dice.between(31, 60);
    style.devices = dice.pick(Numbers{1, 2, 2, 2, 3, 3, 4, 4, 4, 5, 8, 8, 17, 63, 64});
    style.classes = dice.pick(Numbers{1, 1, 2, 3});
    style.greatest_cost = dice.pick(Numbers{0, 1, 3, 10, 100, 1000000});
    style.greatest_bytes = dice.pick(Numbers{0, 1, 3, 100, 100, 5000, int64_t{1} << 33});
    style.greatest_latency = dice.pick(Numbers{0, 0, 3, 20, 1000});
    style.tensors_per_op = dice.pick(Numbers{1, 1, 2, 3});
    style.consumers = dice.pick(Numbers{1, 2, 2, 4});
    style.reach = dice.pick(Numbers{3, 10, 60});
    style.percent_alias = dice.pick(Numbers{0, 0, 10, 30, 60});
    style.percent_output = dice.pick(Numbers{0, 10, 30});
    style.percent_group = dice.pick(Numbers{0, 0, 10, 30});
    style.percent_allowed = dice.pick(Numbers{0, 0, 10, 40, 100});
    style.percent_workspace = dice.pick(Numbers{0, 20, 100});
    style.controls = dice.pick(Numbers{0, 0, 1, 5, 20});
    style.parameters = dice.pick(Numbers{0, 1, 4});
    style.named = dice.chance(50);
    return style;
}

std::string numbered(const char *word, int64_t number) {
    return word + std::to_string(number);
}

// Small numbers and ties are likelier than large ones.
int64_t amount(Dice &dice, int64_t greatest) {
    const int64_t kind = dice.below(4);
    return kind == 0   ? 0
           : kind == 1 ? dice.between(0, std::min<int64_t>(greatest, 4))
                       : dice.between(0, greatest);
}

plain::Cluster random_cluster(Dice &dice, const Style &style, const plain::Graph &graph) {
    plain::Cluster cluster;
    for (int64_t d = 0; d < style.devices; ++d) {
        plain::Device device;
        device.name = numbered(style.named ? (d % 3 == 2 ? "cpu:" : "gpu:") : "d", d);
        device.device_class = dice.below(style.classes);
        if (dice.chance(30))
            device.class_name = graph.classes[device.device_class];
        if (dice.chance(40))
            device.memory = dice.between(1, 1 + 4 * style.greatest_bytes);
        cluster.devices.push_back(device);
    }
    const auto link = [&] {
        plain::Link made;
        made.latency = dice.between(0, style.greatest_latency);
        if (dice.chance(70))
            made.rate = dice.pick(Numbers{1, 7, 333, 1000, 2500, 1000000, int64_t{1} << 50});
        return made;
    };
    cluster.default_link = link();
    if (dice.chance(50))
        for (int64_t i = dice.below(3 * style.devices); i > 0; --i) {
            const int64_t from = dice.below(style.devices), to = dice.below(style.devices);
            if (from != to)
                cluster.pairs[{from, to}] = link();
        }
    return cluster;
}

// Every list holds the anchor where there is one, so that no group is without a device.
std::vector<plain::Allowed> random_allowed(Dice &dice, const Style &style, int64_t anchor) {
    std::vector<plain::Allowed> allowed;
    if (anchor >= 0)
        allowed.push_back({anchor, std::nullopt});
    for (int64_t i = dice.between(anchor >= 0 ? 0 : 1, 3); i > 0; --i) {
        if (dice.chance(60))
            allowed.push_back({dice.below(style.devices), std::nullopt});
        else
            allowed.push_back(
                {-1, std::string(dice.pick(std::vector<const char *>{
                         "*", "d*", "D*", "gpu:*", "\\cpu:*", "*[02468]", "?1", "none"}))});
    }
    std::reverse(allowed.begin(), allowed.end());
    return allowed;
}

struct Maker {
    Dice &dice;
    const Style &style;
    plain::Graph graph{};
    Numbers order{}, position{}; // a hidden topological order of the ops
    int64_t anchor = -1;

    void make_ops() {
        for (int64_t c = 0; c < style.classes; ++c)
            graph.classes.push_back(numbered("class", c));
        const int64_t group_count = dice.between(1, 4);
        for (int64_t i = 0; i < style.ops; ++i) {
            plain::Op op;
            op.name = numbered("op", i);
            op.kind = dice.pick(std::vector<const char *>{"MatMul", "Add", "Conv"});
            for (int64_t c = 0; c < style.classes; ++c)
                op.cost.push_back(amount(dice, style.greatest_cost));
            if (dice.chance(style.percent_workspace))
                op.workspace = amount(dice, style.greatest_bytes);
            if (dice.chance(style.percent_group))
                op.group = numbered("group", dice.below(group_count));
            if (dice.chance(style.percent_allowed))
                op.allowed = random_allowed(dice, style, anchor);
            graph.ops.push_back(op);
        }
        order.resize(style.ops);
        std::iota(order.begin(), order.end(), 0);
        if (dice.chance(75))
            for (int64_t i = style.ops - 1; i > 0; --i)
                std::swap(order[i], order[dice.between(0, i)]);
        position.resize(style.ops);
        for (int64_t i = 0; i < style.ops; ++i)
            position[order[i]] = i;
    }

    // An op after this one in the hidden order, or -1.
    int64_t later_op(int64_t op) {
        const int64_t last = std::min(position[op] + style.reach, style.ops - 1);
        return position[op] >= last ? -1 : order[dice.between(position[op] + 1, last)];
    }

    void make_tensors() {
        for (int64_t op = 0; op < style.ops; ++op)
            for (int64_t i = dice.between(0, style.tensors_per_op); i > 0; --i) {
                plain::Tensor tensor;
                tensor.producer = op;
                tensor.bytes = amount(dice, style.greatest_bytes);
                tensor.output = dice.chance(style.percent_output);
                for (int64_t k = dice.between(0, style.consumers); k > 0; --k)
                    if (const int64_t consumer = later_op(op); consumer >= 0)
                        tensor.consumers.push_back(consumer);
                if (!tensor.consumers.empty() && dice.chance(20))
                    tensor.consumers.push_back(tensor.consumers.front());
                graph.tensors.push_back(tensor);
            }
        for (size_t i = graph.tensors.size(); i > 1; --i) // not by producer
            std::swap(graph.tensors[i - 1], graph.tensors[dice.below(static_cast<int64_t>(i))]);
        for (size_t i = 0; i < graph.tensors.size(); ++i)
            graph.tensors[i].name = numbered("tensor", static_cast<int64_t>(i));
    }

    // A tensor becomes an alias of one that its producer consumes: chains and trees come about.
    void make_aliases() {
        for (plain::Tensor &tensor : graph.tensors) {
            if (!dice.chance(style.percent_alias))
                continue;
            Numbers inputs;
            for (size_t i = 0; i < graph.tensors.size(); ++i) {
                const Numbers &consumers = graph.tensors[i].consumers;
                if (std::count(consumers.begin(), consumers.end(), tensor.producer) > 0)
                    inputs.push_back(static_cast<int64_t>(i));
            }
            if (!inputs.empty())
                tensor.alias_of = dice.pick(inputs);
        }
    }

    void make_controls_and_parameters() {
        for (int64_t i = dice.between(0, style.controls); style.ops > 0 && i > 0; --i) {
            const int64_t before = dice.below(style.ops), after = later_op(before);
            if (after >= 0)
                graph.control.push_back({before, after});
            if (after >= 0 && dice.chance(10))
                graph.control.push_back({before, after}); // counts once
        }
        for (int64_t i = 0; i < style.parameters; ++i) {
            plain::Parameter parameter;
            parameter.name = numbered("weights", i);
            parameter.bytes = amount(dice, style.greatest_bytes);
            for (int64_t k = style.ops > 0 ? dice.between(0, 4) : 0; k > 0; --k)
                parameter.ops.push_back(dice.below(style.ops));
            graph.parameters.push_back(parameter);
        }
    }
};

} // namespace

plain::Chromosome random_chromosome(Dice &dice, int64_t op_count, int64_t device_count) {
    plain::Chromosome made;
    made.affinity_encoding = dice.chance(50);
    made.window = dice.pick(Numbers{0, 0, 1, 2, 5, op_count, op_count + 7, INT64_MAX});
    const int64_t kind = dice.below(4);
    const auto key = [&](int64_t own_kind) -> int64_t {
        switch (own_kind) {
        case 0:
            return dice.below(3);
        case 1:
            return dice.pick(Numbers{0, 58981, 58982, 65535});
        case 2:
            return dice.chance(50) ? dice.below(65536) : dice.between(58975, 58990);
        default:
            return dice.below(65536);
        }
    };
    const auto keys = [&](int64_t count) {
        const int64_t own_kind = dice.chance(60) ? kind : dice.below(4);
        Numbers row;
        for (int64_t i = 0; i < count; ++i)
            row.push_back(key(own_kind));
        return row;
    };
    made.priority = keys(op_count);
    if (made.affinity_encoding) {
        for (int64_t op = 0; op < op_count; ++op)
            made.affinity.push_back(keys(device_count));
        made.transfer = keys(op_count);
    } else {
        made.placement = keys(op_count);
    }
    return made;
}

plain::Case random_case(uint64_t seed) {
    Dice dice(seed);
    const Style style = random_style(dice);
    Maker maker{dice, style};
    maker.anchor = dice.chance(80) ? dice.below(style.devices) : -1;
    maker.graph.name = "random-" + std::to_string(seed);
    maker.make_ops();
    maker.make_tensors();
    maker.make_aliases();
    maker.make_controls_and_parameters();
    plain::Case made;
    made.graph = maker.graph;
    made.cluster = random_cluster(dice, style, made.graph);
    made.chromosome = random_chromosome(dice, style.ops, style.devices);
    return made;
}
