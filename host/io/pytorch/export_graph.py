#!/usr/bin/env python3
"""A PyTorch module as a regal-graph.

    from export_graph import export
    export(module, (example_input,), "model.json")

The module is traced by torch.export with the example inputs (nothing is computed: shapes alone are
propagated), so every size must follow from them. Needs torch 2.6 or later; nothing else. Then

    regal optimize model.json --devices 4x16GB -o plan.json

What becomes what:

  call of an operator       an op, of the operator's name as its kind ("linear", "conv2d", "add")
  view (transpose, split,   nothing: what uses it uses the tensor that it shows. So it is for reshape and
  what returns an alias)    contiguous, which copy at times
  result of an operator     a tensor with the bytes of its shape and type; what the module returns, and new
                            values of its buffers, are outputs
  weights, buffers, inputs  parameters, resident wherever they are used; tied ones once
  inputs that are scalars   left out
  branches and loops        one op each, which reads and writes its operands: what is within is not seen

Costs are static: the roofline of REGAL's own cost model (launch + the greater of arithmetic and memory
traffic, in ns, rounded up) over the device profiles asked for, each a device class. Measured times
may override them (regal --costs), with the ops' names as in the file. What an operator does:

  mm, bmm, linear, ...      2 m n k operations on the matrix units
  convolutions              2 operations for each output element and tap, likewise
  attention                 its two products and the softmax between them, in one launch
  exp, gelu, sigmoid, ...   one operation of the special units for each element
  softmax                   two reductions, an exponential and a division for each element
  normalizations            two reductions and four operations for each element
  sum, mean, pooling, ...   one operation for each element read, or for each one in a window
  cat, clone, pad, ...      bytes moved
  embedding, gather, ...    the elements picked, read and written
  sort, topk                comparisons of a merge sort, traffic of a radix sort
  rand, dropout, ...        20 operations for each element
  any other                 one operation for each element
"""

import json
import os
import sys
from pathlib import Path

# The element types: (bits, family).
TYPES = {
    "bool": (8, "integer"), "int8": (8, "integer"), "uint8": (8, "integer"),
    "int16": (16, "integer"), "uint16": (16, "integer"), "int32": (32, "integer"),
    "uint32": (32, "integer"), "int64": (64, "integer"), "uint64": (64, "integer"),
    "float8_e4m3fn": (8, "float"), "float8_e5m2": (8, "float"), "float8_e4m3fnuz": (8, "float"),
    "float8_e5m2fnuz": (8, "float"), "float8_e8m0fnu": (8, "float"), "float16": (16, "float"),
    "bfloat16": (16, "float"), "float32": (32, "float"), "float64": (64, "float"),
    "complex32": (32, "complex"), "complex64": (64, "complex"), "complex128": (128, "complex"),
}
COMPLEX_FLOPS, WIDE_INTEGER_OPS, TRANSCENDENTAL_F64, RANDOM_OPS = 4, 2, 20, 20

# ---- the cost model: as host/cost/cost_model.c, in the same integers


def matrix_unit(dtype):
    bits, family = TYPES[dtype]
    if family == "integer":
        return "matrix_s8" if bits <= 8 else "vector_integer"
    bits = bits // 2 if family == "complex" else bits
    return ("matrix_f8" if bits <= 8 else
            {16: "matrix_f16", 32: "matrix_tf32", 64: "matrix_f64"}[bits])


def vector_unit(dtype):
    bits, family = TYPES[dtype]
    if family == "integer":
        return "vector_integer"
    bits = bits // 2 if family == "complex" else bits
    return "vector_f16" if bits <= 16 else "vector_f64" if bits == 64 else "vector_f32"


class Load:
    """Works in one launch: the arithmetic adds up, and only `bytes` reach memory."""

    def __init__(self, bytes_moved=0):
        self.operations, self.bytes, self.counted = {}, bytes_moved, 0

    def add(self, work, dtype, count):
        """work: "matrix", "plain", "special" or "random"; count: multiply-adds count two."""
        bits, family = TYPES[dtype]
        if work != "random" and (family != "integer" or work == "matrix"):
            self.counted += count * (COMPLEX_FLOPS if family == "complex" else 1)
        unit = matrix_unit(dtype) if work == "matrix" else vector_unit(dtype)
        if family == "complex":
            count *= COMPLEX_FLOPS
        if family == "integer" and bits == 64:
            count *= WIDE_INTEGER_OPS
        if work == "special" and unit == "vector_f64":
            count *= TRANSCENDENTAL_F64
        elif work == "special":
            unit = "special"
        elif work == "random":
            unit = "vector_integer"
        self.operations[unit] = self.operations.get(unit, 0) + count
        return self

    def ticks(self, profile):
        permille = profile["permille"]
        compute = sum(
            ticks_at(count, profile["gops"][unit],
                     permille["matrix" if unit.startswith("matrix") else "vector"])
            for unit, count in self.operations.items())
        memory = ticks_at(self.bytes, profile["memory_gb_s"], permille["memory"])
        return max(1, profile["launch_ns"] + max(compute, memory))


def ticks_at(amount, rate, permille):
    """ceil(amount / (rate * permille / 1000))"""
    return -(-amount * 1000 // (rate * permille))


def load_profiles(names):
    """Those of REGAL_DATA, of the folder of this script, or of the source tree."""
    here = Path(__file__).resolve().parent
    places = [here / "profiles.json", here.parents[2] / "models" / "profiles.json"]
    if os.environ.get("REGAL_DATA"):
        places.insert(0, Path(os.environ["REGAL_DATA"]) / "profiles.json")
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise FileNotFoundError(f"there is no profiles.json: looked for {', '.join(map(str, places))}")
    known = {one["name"]: one for one in json.loads(path.read_text(encoding="utf-8"))["profiles"]}
    for name in names:
        if name not in known:
            raise ValueError(f"no device profile is named {name!r}: there are {', '.join(known)}")
    return [known[name] for name in names]


# ---- values


class Value:
    """The shape and type of a tensor."""

    def __init__(self, shape, dtype):
        self.shape, self.dtype = tuple(shape), dtype
        self.elements = 1
        for size in self.shape:
            self.elements *= size
        self.bytes = self.elements * TYPES[dtype][0] // 8


def values_in(meta, name):
    """What a node's value holds: a list with None for what is no tensor."""
    if isinstance(meta, (tuple, list)):
        return [value for part in meta for value in values_in(part, name)]
    if not hasattr(meta, "shape"):
        return [None]
    shape = []
    for size in meta.shape:
        try:
            shape.append(int(str(size)))
        except ValueError:
            raise ValueError(f"{name}: a size is not known: {size}; give example inputs and no "
                             "dynamic shapes") from None
    dtype = str(meta.dtype).removeprefix("torch.")
    if dtype not in TYPES:
        raise ValueError(f"{name}: elements of type {dtype} are not known here")
    return [Value(shape, dtype)]


# ---- what operators do

SPECIAL = set("""exp exp2 expm1 log log2 log10 log1p sqrt rsqrt sin cos tan asin acos atan atan2 sinh cosh
    asinh acosh atanh tanh sigmoid log_sigmoid silu gelu mish softplus elu selu celu erf erfc erfinv pow
    hardswish_exp lgamma digamma logaddexp logit sinc i0 glu swish""".split())
REDUCTIONS = set("""sum mean prod amax amin max min argmax argmin any all norm linalg_vector_norm var std
    var_mean std_mean logsumexp cumsum cumprod nll_loss mse_loss l1_loss cross_entropy_loss aminmax
    median nansum nanmean count_nonzero""".split())
MOVES = set("""cat stack clone copy contiguous pad constant_pad_nd reflection_pad1d reflection_pad2d
    replication_pad1d replication_pad2d repeat tile roll flip full full_like zeros zeros_like ones
    ones_like empty empty_like new_zeros new_ones new_full new_empty arange linspace tril triu
    _to_copy to fill _unsafe_view slice_scatter select_scatter diag_embed eye lift_fresh_copy
    scalar_tensor repeat_interleave pixel_shuffle pixel_unshuffle unfold_copy channel_shuffle
    im2col col2im view_copy""".split())
GATHERS = set("""embedding embedding_bag gather index index_select take take_along_dim scatter scatter_add
    scatter_reduce index_put index_add index_copy masked_fill masked_select masked_scatter
    nonzero grid_sampler upsample_nearest1d upsample_nearest2d upsample_nearest3d _embedding_bag
    one_hot bucketize searchsorted""".split())
RANDOM = set("""rand randn randint rand_like randn_like randint_like bernoulli dropout native_dropout
    multinomial normal uniform alpha_dropout feature_dropout randperm""".split())
NORMALIZATIONS = ("batch_norm", "layer_norm", "group_norm", "instance_norm", "rms_norm")
SOFTMAXES = {"softmax", "_softmax", "log_softmax", "_log_softmax", "softmin"}
PRODUCTS = {"mm", "bmm", "matmul", "linear", "addmm", "baddbmm", "addbmm", "mv", "dot", "vdot",
            "addmv", "_int_mm", "outer", "chain_matmul"}


def product_count(name, inputs, output):
    """2 m n k: the output's elements times the length of what is summed up."""
    operands = inputs[1:] if name in ("addmm", "baddbmm", "addbmm", "addmv") else inputs
    if not operands:
        return 0
    first = operands[0]
    length = first.shape[-1] if first.shape else 1
    if name == "outer":
        length = 1
    if name == "addbmm":
        length *= first.shape[0]
    return 2 * output.elements * length


def convolution_count(name, inputs, output, transposed):
    """The kernel is (outputs, inputs / groups, window...), turned round where it is transposed."""
    kernel = inputs[1].shape
    taps = 1
    for size in kernel[1:]:
        taps *= size
    return 2 * (inputs[0].elements if transposed else output.elements) * taps


def attention_load(load, inputs):
    """queries (..., n, e), keys (..., m, e), values (..., m, v)"""
    query, key, value = inputs[:3]
    rows = query.elements // query.shape[-1]
    scores = rows * key.shape[-2]
    load.add("matrix", query.dtype, 2 * scores * (query.shape[-1] + value.shape[-1]))
    load.add("special", query.dtype, scores)
    return load.add("plain", query.dtype, 3 * scores)


def window_of(arguments):
    """Elements of a pooling window: its second argument."""
    sizes = arguments[1] if len(arguments) > 1 else 1
    count = 1
    for size in sizes if isinstance(sizes, (list, tuple)) else (sizes,):
        count *= int(size)
    return count


def sort_load(load, value):
    length = value.shape[-1] if value.shape else 1
    depth = max(1, (length - 1).bit_length())
    load.add("plain", value.dtype, value.elements * depth)
    load.bytes = 2 * value.bytes * max(1, TYPES[value.dtype][0] // 8)
    return load


def load_of(name, inputs, outputs, arguments=()):
    """The load of an operator from its tensors, and for pooling and convolutions its arguments."""
    load = Load(sum(v.bytes for v in inputs) + sum(v.bytes for v in outputs))
    output = outputs[0] if outputs else Value((0,), "float32")
    lead = next((v for v in inputs if TYPES[v.dtype][1] != "integer"), inputs[0] if inputs else output)
    if name in PRODUCTS and inputs:
        return load.add("matrix", lead.dtype, product_count(name, inputs, output))
    if name.startswith(("conv", "_conv")) and len(inputs) > 1 and len(inputs[1].shape) > 1:
        transposed = "transpose" in name or (name == "convolution" and len(arguments) > 6
                                             and arguments[6] is True)
        return load.add("matrix", lead.dtype, convolution_count(name, inputs, output, transposed))
    if "attention" in name and len(inputs) >= 3 and len(inputs[0].shape) >= 2:
        return attention_load(load, inputs)
    if name in SOFTMAXES:
        load.add("special", lead.dtype, lead.elements)
        return load.add("plain", lead.dtype, 3 * lead.elements)
    if any(part in name for part in NORMALIZATIONS):
        return load.add("plain", lead.dtype, 6 * lead.elements)
    if "pool" in name:
        window = window_of(arguments) if "adaptive" not in name else 1
        return load.add("plain", lead.dtype, max(lead.elements, output.elements * window))
    if name in REDUCTIONS:
        return load.add("plain", lead.dtype, lead.elements)
    if name in GATHERS:
        load.bytes = 2 * output.bytes + sum(v.bytes for v in inputs
                                            if TYPES[v.dtype][1] == "integer")
        return load
    if name in MOVES:
        return load
    if name in ("sort", "topk", "argsort", "msort") and inputs:
        return sort_load(load, inputs[0])
    if name in RANDOM:
        return load.add("random", output.dtype, RANDOM_OPS * output.elements)
    return load.add("special" if name in SPECIAL else "plain", output.dtype, output.elements)


# ---- the graph


def schema_of(node):
    return getattr(node.target, "_schema", None)


def operator_name(node):
    schema = schema_of(node)
    name = schema.name.split("::")[-1] if schema else getattr(node.target, "__name__", str(node.target))
    return name.split(".")[-1] if not schema else name


def is_item(node):
    return operator_name(node) == "getitem" and schema_of(node) is None


def is_view(node):
    """Every result is an argument seen otherwise."""
    schema = schema_of(node)
    returns = list(schema.returns) if schema else []
    return bool(returns) and all(r.alias_info is not None and not r.alias_info.is_write
                                 for r in returns)


def is_assertion(node):
    """Checks of sizes and the like, which do nothing."""
    name = operator_name(node)
    return name.startswith(("_assert", "sym_", "_guards")) or name in ("eq", "ge", "le", "lt", "gt") \
        and schema_of(node) is None


class Writing:
    """The regal-graph as it grows. Every value of a node is (kind, number) of what holds it: a tensor,
    a parameter, or None for nothing."""

    def __init__(self, name, profiles):
        self.profiles = profiles
        self.graph = {
            "format": "regal-graph", "version": 1, "name": name,
            "options": {"profile": ",".join(p["name"] for p in profiles)},
            "device_classes": [p["name"] for p in profiles],
            "ops": [], "tensors": [], "parameters": [],
        }
        self.held = {}  # node -> list of holders, one for each of its values
        self.tied = {}  # storage -> parameter

    def add_parameter(self, node, name, storage):
        value = values_in(node.meta.get("val"), node.name)[0]
        holder = None
        if value is not None and value.shape and value.bytes > 0:
            holder = self.tied.get(storage)
            if holder is None:
                holder = ("parameter", len(self.graph["parameters"]))
                self.graph["parameters"].append({"name": name, "bytes": value.bytes, "ops": []})
            if storage is not None:
                self.tied[storage] = holder
        self.held[node] = [holder]

    def add_call(self, node):
        results = values_in(node.meta.get("val"), node.name)
        if is_item(node):
            whole = self.held[node.args[0]]
            # the parts of a view of one tensor are that tensor
            self.held[node] = [whole[min(int(node.args[1]), len(whole) - 1)]] if whole else [None]
        elif is_view(node) and node.all_input_nodes:
            self.held[node] = [self.held[node.all_input_nodes[0]][0]]
        elif is_assertion(node) or all(result is None for result in results):
            self.held[node] = [None] * len(results)
        else:
            self.add_op(node, results)

    def add_op(self, node, results):
        index = len(self.graph["ops"])
        used = []
        for source in node.all_input_nodes:
            used += [holder for holder in self.held[source] if holder is not None]
        inputs = [value for source in node.all_input_nodes
                  for value in values_in(source.meta.get("val"), source.name) if value is not None]
        name = operator_name(node)
        load = load_of(name, inputs, [value for value in results if value is not None], node.args)
        op = {"name": node.name, "kind": name, "cost": [load.ticks(p) for p in self.profiles]}
        if load.counted > 0:
            op["flops"] = load.counted
        self.graph["ops"].append(op)
        for kind, number in dict.fromkeys(used):
            users = self.graph["tensors"][number]["consumers"] if kind == "tensor" \
                else self.graph["parameters"][number]["ops"]
            users.append(index)
        self.held[node] = []
        for k, value in enumerate(results):
            if value is None:
                self.held[node].append(None)
                continue
            self.held[node].append(("tensor", len(self.graph["tensors"])))
            self.graph["tensors"].append({"name": f"{node.name}:{k}", "producer": index,
                                          "bytes": value.bytes, "consumers": []})

    def keep(self, node):
        for holder in self.held.get(node, ()):
            if holder is not None and holder[0] == "tensor":
                self.graph["tensors"][holder[1]]["output"] = True

    def finish(self):
        self.graph["parameters"] = [p for p in self.graph["parameters"] if p["ops"]]
        return self.graph


def graph_to_regal(nodes, name, profiles=("h100",), parameters=None):
    """The nodes of a torch.fx graph, whose meta["val"] has shapes and types, as a regal-graph (a
    dict). parameters: for each placeholder its name and what tells its storage (tied weights have
    the same); else its own name."""
    writing = Writing(name, load_profiles(profiles))
    for node in nodes:
        if node.op in ("placeholder", "get_attr"):
            own = (node.name, None)
            writing.add_parameter(node, *(parameters or {}).get(node.name, own))
        elif node.op == "call_function":
            writing.add_call(node)
        elif node.op == "output":
            for source in node.all_input_nodes:
                writing.keep(source)
        else:
            raise ValueError(f"{node.name}: {node.op} is not known: trace by torch.export")
    return writing.finish()


def write(graph, path):
    """An op, tensor or parameter a line; the file appears whole or not at all."""
    beside = f"{path}.{os.getpid()}.tmp"
    members = []
    for key, value in graph.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lines = ",\n".join(json.dumps(item) for item in value)
            members.append(f"{json.dumps(key)}: [\n{lines}\n]")
        else:
            members.append(f"{json.dumps(key)}: {json.dumps(value)}")
    try:
        with open(beside, "w", encoding="utf-8") as file:
            file.write("{\n" + ",\n".join(members) + "\n}\n")
        os.replace(beside, path)
    except BaseException:
        if os.path.exists(beside):
            os.unlink(beside)
        raise


def is_mutating(node):
    return bool(getattr(schema_of(node), "is_mutable", False))


def export(module, example_inputs, path, *, name=None, profiles=("h100",), kwargs=None):
    """Writes the module as the regal-graph `path`. example_inputs: a tuple of its arguments; profiles:
    names of device profiles (`regal backends` lists them), each a device class of the graph."""
    import torch

    program = torch.export.export(module, tuple(example_inputs), kwargs)
    if any(is_mutating(node) for node in program.graph.nodes):
        program = program.run_decompositions({})  # without operators that write in place
    tensors = {**program.state_dict, **program.constants}
    parameters = {}
    for spec in program.graph_signature.input_specs:
        if spec.target is not None and spec.target in tensors:
            storage = None
            if isinstance(tensors[spec.target], torch.Tensor):
                storage = tensors[spec.target].untyped_storage().data_ptr() or None
            parameters[spec.arg.name] = (spec.target, storage)
    graph = graph_to_regal(program.graph.nodes, name or type(module).__name__, profiles, parameters)
    write(graph, path)


if __name__ == "__main__":
    sys.exit(__doc__)
