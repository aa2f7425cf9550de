// SPDX-License-Identifier: GPL-3.0-or-later
// One row per quant_method; the algorithms that NVIDIA's ModelOpt names are a second table.
#include "core/catalog/hf/quantization_reader.hpp"
#include "core/catalog/hf/quantization_cache.hpp"
#include "core/catalog/hf/quantization_exceptions.hpp"
#include "core/catalog/hf/quantization_mix.hpp"
#include "core/catalog/hf/quantization_mlx.hpp"
#include "core/catalog/hf/quantization_widths.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

namespace headroom::hf
{
namespace
{

struct Reading {
    const ConfigKeys& keys;
    const ModelParts& model;
    Quantization& result;
    Diagnostics& warnings;

    void warn(std::string_view key, std::string message, std::string hint = {}) const
    {
        warnings.push_back({Severity::Warning,
                            "assumed",
                            fmt::format("{}/{}", keys.path(), key),
                            std::move(message),
                            std::move(hint),
                            {},
                            0});
    }
    /// Takes the one way, or mixes several of them, which `key` names.
    void take(std::string_view key, std::span<const StoredWay> ways) const
    {
        mixWays(ways, model, result);
        if (ways.size() > 1)
            warn(key,
                 say("weights are stored in {} ways: attention, feed-forward and experts count with their own bits",
                     ways.size()));
    }
};

constexpr Bounds bitCounts{1, 32};

/// A group as long as the row is written -1; it adds no bits worth counting.
std::int64_t groupSize(const ConfigKeys& keys)
{
    return std::max<std::int64_t>(keys.whole({"group_size", "q_group_size"}, {-1, sizes.high}).value_or(0), 0);
}

void readFp8(const Reading& r)
{
    r.result.bits = 8;
    r.result.format = r.keys.text({"fmt"}, "e4m3");
    r.result.block = r.keys.numbers("weight_block_size", sizes);
    if (r.keys.text({"scale_fmt"}) == "ue8m0")
        r.result.algorithm = "ue8m0 scales";
}

/// Without bits nothing is known of GPTQ, which stores 2 to 8 (GPTQConfig of transformers and vLLM asks for them).
void readIntegerGroups(const Reading& r)
{
    r.result.bits = double(r.keys.whole({"bits", "w_bit"}, bitCounts).value_or(0));
    r.result.group = groupSize(r.keys);
    r.result.weightOnly = r.keys.whole({"act_bits"}, bitCounts).value_or(unquantisedBits) >= unquantisedBits;
}

/// The classes of these have a default: AwqConfig and AutoRoundConfig of transformers, 4 bits in groups of 128.
void readFourBitGroups(const Reading& r)
{
    readIntegerGroups(r);
    if (r.result.bits == 0) {
        r.result.bits = 4;
        r.warn("bits", said("the bits are absent: the class default of 4 is used"));
    }
    if (!r.keys.has("group_size") && !r.keys.has("q_group_size"))
        r.result.group = 128;
}

void readHead(const Reading& r)
{
    if (r.model.head > 0)
        r.result.headBits = headBits(r.keys, r.result);
}

void readGptq(const Reading& r)
{
    readIntegerGroups(r);
    readHead(r);
}

void readAutoRound(const Reading& r)
{
    readFourBitGroups(r);
    readHead(r);
    r.result.format = r.keys.text({"packing_format"});
}

void readMxfp4(const Reading& r)
{
    r.result.bits = 4.25; // 4 + 8/32: one shared exponent for 32 values
    r.result.block = {32};
}

constexpr const char* bitsAndBytesFlags[] = {"load_in_4bit", "_load_in_4bit", "load_in_8bit", "_load_in_8bit"};

void readBitsAndBytes(const Reading& r)
{
    const bool four = r.keys.flag({"load_in_4bit", "_load_in_4bit"}, false);
    const bool eight = r.keys.flag({"load_in_8bit", "_load_in_8bit"}, false);
    const bool isStated = std::ranges::any_of(bitsAndBytesFlags, [&r](const char* name) { return r.keys.has(name); });
    r.result.bits = four ? 4 : eight ? 8 : isStated ? double(unquantisedBits) : 0;
    if (!four)
        return;
    r.result.weightOnly = true; // "The compute dtype": 16 or 32 bit always; eight bits multiply in INT8
    r.result.algorithm = r.keys.text({"bnb_4bit_quant_type"}, "fp4");
    if (r.keys.flag({"bnb_4bit_use_double_quant"}, false))
        r.result.format = "double-quant";
}

/// Of a group of config_groups. Without a format of its own, a float of 4 or 8 bits is what NVIDIA's units multiply.
void readGroupWeights(const ConfigKeys& group, Quantization& how)
{
    constexpr std::int64_t mxGroup = 32;
    const ConfigKeys weights = group.object("weights");
    if (how.format.empty() || how.format == "mixed-precision")
        how.format = group.text({"format"}, how.format);
    how.bits = double(weights.whole({"num_bits"}, bitCounts).value_or(0));
    how.group = groupSize(weights);
    how.block = weights.numbers("block_structure", sizes);
    how.weightOnly = !group.has("input_activations");
    how.algorithm = weights.text({"type"});
    if (how.algorithm == "float" && (how.format.empty() || how.format == "mixed-precision"))
        how.algorithm = how.bits > 4           ? how.group == mxGroup ? "MXFP8" : "FP8"
                        : how.group == mxGroup ? "MXFP4"
                                               : "NVFP4";
}

/// One way for each group of config_groups.
std::vector<StoredWay> groupWays(const Reading& r)
{
    std::vector<StoredWay> ways;
    const ConfigKeys groups = r.keys.object("config_groups");
    for (const std::string& name : groups.names()) {
        const ConfigKeys group = groups.object(name);
        if (!group.has("weights")) // of activations or the cache alone
            continue;
        StoredWay& way = ways.emplace_back();
        way.how.method = r.result.method;
        way.how.format = r.result.format;
        readGroupWeights(group, way.how);
        way.modules = group.has("targets") ? group.words("targets") : std::vector<std::string>{"Linear"};
    }
    return ways;
}

void readCompressedTensors(const Reading& r)
{
    r.result.format = r.keys.text({"format"});
    if (const std::vector<StoredWay> ways = groupWays(r); !ways.empty())
        r.take("config_groups", ways);
    else if (r.result.format == "dense") // sparse at most
        r.result.bits = double(unquantisedBits);
}

struct Algorithm {
    std::string_view name; ///< part of the algorithm's name that decides
    double bits;
    std::int64_t group; ///< weights that share a scale, 0 = a tensor or a row
};
// In order: the first that occurs in the name. Values: NVIDIA ModelOpt's format definitions (NVFP4: 16 values share an
// FP8 scale; MX formats: 32 share an exponent).
constexpr Algorithm algorithms[] = {{"NVFP4", 4, 16}, {"MXFP4", 4, 32},  {"W4A8_AWQ", 4, 128},
                                    {"INT4", 4, 128}, {"W4A16", 4, 128}, {"MXFP8", 8, 32},
                                    {"FP8", 8, 0},    {"INT8", 8, 0},    {"W8A", 8, 0}};

/// What an algorithm's name says; false where it is not known.
bool readAlgorithm(std::string algorithm, std::int64_t group, Quantization& how)
{
    how.weightOnly = algorithm.find("A16") != std::string::npos || algorithm == "INT4_AWQ";
    how.group = group;
    const auto* const row = std::find_if(std::begin(algorithms), std::end(algorithms), [&](const Algorithm& a) {
        return algorithm.find(a.name) != std::string::npos;
    });
    how.algorithm = std::move(algorithm);
    if (row == std::end(algorithms))
        return false;
    how.bits = row->bits;
    if (row->group == 0 || how.group == 0)
        how.group = row->group;
    return true;
}

/// One way for each algorithm that quantized_layers names, with its modules.
std::vector<StoredWay> layerWays(const Reading& r)
{
    std::vector<StoredWay> ways;
    const ConfigKeys layers = r.keys.object("quantized_layers");
    for (const std::string& module : layers.names()) {
        const auto* const object = layers.find(module);
        if (object == nullptr || !object->is_object())
            continue;
        const ConfigKeys entry = layers.object(module);
        const std::string algorithm = entry.text({"quant_algo"});
        if (algorithm.empty())
            continue;
        auto way = std::ranges::find(ways, algorithm, [](const StoredWay& w) { return w.how.algorithm; });
        if (way == ways.end()) {
            way = ways.insert(ways.end(), StoredWay{});
            way->how.method = r.result.method;
            readAlgorithm(algorithm, groupSize(entry), way->how);
        }
        way->modules.push_back(module);
    }
    return ways;
}

void readModelOpt(const Reading& r)
{
    const std::string algorithm = r.keys.text({"quant_algo"});
    const bool silent = !r.keys.has("quant_algo") && !r.keys.has("quantized_layers") && !r.keys.has("config_groups");
    if (silent && r.keys.mentions("quant_algo")) { // null: the cache alone is quantised
        r.result.bits = double(unquantisedBits);
        return;
    }
    if (algorithm == "MIXED_PRECISION" || algorithm.empty())
        if (const std::vector<StoredWay> ways = layerWays(r); !ways.empty()) {
            r.take("quantized_layers", ways);
            return;
        }
    if (!readAlgorithm(algorithm, groupSize(r.keys), r.result))
        if (const std::vector<StoredWay> ways = groupWays(r); !ways.empty())
            r.take("config_groups", ways);
}

/// optimum-quanto: "int4", "float8"; groups of 128 below 8 bits (its qint2 and qint4).
void readQuanto(const Reading& r)
{
    const std::string weights = r.keys.text({"weights"});
    for (const int bits : {2, 4, 8})
        if (weights.ends_with(std::to_string(bits)))
            r.result.bits = bits;
    if (weights == "float8")
        r.result.format = "fp8";
    r.result.group = r.result.bits > 0 && r.result.bits < 8 ? 128 : 0;
    r.result.weightOnly = !r.keys.has("activations");
}

void readHqq(const Reading& r)
{
    const ConfigKeys weights = r.keys.object("quant_config").object("weight_quant_params");
    r.result.bits = double(weights.whole({"nbits"}, bitCounts).value_or(0));
    r.result.group = groupSize(weights);
    r.result.weightOnly = true;
}

/// A code of so many bits in each codebook stands for a group of inputs; the codebooks themselves are small.
void readAqlm(const Reading& r)
{
    const auto number = [&](const char* key) { return double(r.keys.whole({key}).value_or(0)); };
    const double inputs = number("in_group_size");
    if (inputs > 0)
        r.result.bits = number("nbits_per_codebook") * number("num_codebooks") / inputs;
    r.result.weightOnly = true;
}

void readEetq(const Reading& r)
{
    r.result.bits = 8;
    r.result.weightOnly = true;
}

void readBitNet(const Reading& r)
{
    r.result.bits = 2; // four ternary values in a byte
}

/// AMD Quark: {"global_quant_config": {"weight": {"dtype": "fp8_e4m3"}}}.
void readQuark(const Reading& r)
{
    const ConfigKeys all = r.keys.object("global_quant_config"), weight = all.object("weight");
    const std::string type = weight.text({"dtype"});
    r.result.bits = quarkBits(type);
    r.result.group = groupSize(weight);
    r.result.algorithm = weight.text({"scale_format"});
    r.result.format = type == "fp4" && r.result.algorithm == "e8m0" ? "mxfp4" : type;
    r.result.weightOnly = !all.has("input_tensors");
}

/// EXL2 and EXL3 have parts of a bit: the mean over their matrices.
void readNameOnly(const Reading& r)
{
    r.result.bits =
        r.keys.real({"bits", "nbits", "w_bit", "num_bits"}, 0, double(bitCounts.low), double(bitCounts.high));
    r.result.group = groupSize(r.keys);
}

void warnUnknownBits(const Reading& r)
{
    if (r.result.bits == 0)
        r.warn("quant_method", say("bits per weight of '{}' are not known", printable(r.result.method)),
               said("choose the stored precision of the weights yourself"));
}

struct Method {
    std::string_view name;
    void (*read)(const Reading&);
};
constexpr Method methods[] = {
    {"fp8", readFp8},
    {"fbgemm_fp8", readFp8},
    {"awq", readFourBitGroups},
    {"gptq", readGptq},
    {"auto-round", readAutoRound},
    {"intel/auto-round", readAutoRound},
    {"mxfp4", readMxfp4},
    {"bitsandbytes", readBitsAndBytes},
    {"compressed-tensors", readCompressedTensors},
    {"modelopt", readModelOpt},
    {"modelopt_fp4", readModelOpt},
    {"modelopt_mixed", readModelOpt},
    {"mlx", [](const Reading& r) { readMlx(r.keys, r.model, r.result); }},
    {"quanto", readQuanto},
    {"hqq", readHqq},
    {"aqlm", readAqlm},
    {"eetq", readEetq},
    {"bitnet", readBitNet},
    {"quark", readQuark},
};

/// The method where no quant_method says it.
std::string impliedMethod(const ConfigKeys& keys)
{
    if (keys.mentions("quant_algo") || keys.has("kv_cache_quant_algo"))
        return "modelopt"; // NVIDIA's older files
    for (const char* flag : bitsAndBytesFlags)
        if (keys.flag({flag}, false))
            return "bitsandbytes";
    if (keys.has("group_size") && keys.has("bits"))
        return "mlx"; // "quantization": {"group_size": 64, "bits": 4}
    return {};
}

} // namespace

std::optional<Quantization> readQuantization(const ConfigKeys& keys, const ModelParts& model, Diagnostics& warnings)
{
    Quantization result;
    result.method = keys.text({"quant_method"});
    if (result.method.empty())
        result.method = impliedMethod(keys);
    const Reading reading{keys, model, result, warnings};
    const auto* const row =
        std::find_if(std::begin(methods), std::end(methods), [&](const Method& m) { return m.name == result.method; });
    (row == std::end(methods) ? readNameOnly : row->read)(reading);
    std::set<double> widths = otherWidths(keys, result.method == "mlx");
    widths.insert(result.bits);
    if (widths.size() > 1)
        reading.warn("bits", say("{} groups of weights are stored differently: the bits that the file states for all "
                                 "count for each",
                                 widths.size()));
    noteCacheFormat(keys, warnings);
    warnUnknownBits(reading);
    if (result.bits >= unquantisedBits)
        return std::nullopt;
    readExceptions(keys, model.layers, result);
    return result;
}

std::optional<Quantization> readQuantizationFile(const ConfigKeys& file, const ModelParts& model, Diagnostics& warnings)
{
    const bool wrapped = file.has("quantization");
    if (!wrapped && !file.mentions("quant_algo") && !file.has("quant_method"))
        file.missing({"quantization"}, said("give NVIDIA's hf_quant_config.json, or a quantization_config object"));
    return readQuantization(wrapped ? file.object("quantization") : file, model, warnings);
}

} // namespace headroom::hf
