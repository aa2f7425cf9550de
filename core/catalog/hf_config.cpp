// SPDX-License-Identifier: GPL-3.0-or-later
// The way of a config.json: text, language part, family, facts, checks.
#include "core/catalog/hf_config.hpp"

#include "core/catalog/hf/beside.hpp"
#include "core/catalog/hf/class_defaults.hpp"
#include "core/catalog/hf/family.hpp"
#include "core/catalog/hf/finish.hpp"
#include "core/catalog/hf/plain_words.hpp"
#include "core/catalog/hf/quantization_reader.hpp"
#include "core/catalog/hf_quantization.hpp"
#include "core/model/model_profile.hpp"
#include "core/support/json_parse.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom
{
namespace
{

using namespace hf;

constexpr JsonLimits configLimits{.bytes = 16u << 20, .depth = 32, .comments = false};

Expected<Json> parseConfig(std::string_view text)
{
    if (text.starts_with("GGUF"))
        return fail("not-hugging-face", {}, said("this is a GGUF file: weights, not a config.json"),
                    said("give the config.json of the model that it was made of"));
    if (text.size() > configLimits.bytes) // before copying it
        return parseJson(text, configLimits);
    auto parsed = parseJson(withoutBareWords(text), configLimits);
    if (parsed && !parsed->is_object())
        return fail("not-hugging-face", {}, say("the file holds {}, not an object", shown(*parsed)),
                    said("give the config.json of a model"));
    return parsed;
}

/// The language model's own object within a multimodal one, and its path.
struct LanguagePart {
    const Json* object;
    std::string path;
};

/// The file's object, then the objects within it, each in the one before, that lead to the language model.
std::vector<LanguagePart> languageParts(const Json& top)
{
    std::vector<LanguagePart> parts{{&top, {}}};
    for (bool deeper = true; deeper;) {
        deeper = false;
        for (const char* name :
             {"text_config", "llm_config", "language_config", "language_model_config", "thinker_config"}) {
            const LanguagePart part = parts.back();
            const auto found = part.object->find(name);
            if (found == part.object->end() || !found->is_object() || found->empty())
                continue;
            parts.push_back({&*found, fmt::format("{}/{}", part.path, name)});
            deeper = true;
            break;
        }
    }
    return parts;
}

/// Formats of other programs that people take for a config.json, by keys that only they have.
struct ForeignFormat {
    std::string_view key, name;
    std::string_view hint = phrase("give the config.json that lies beside the model's weights on the hub");
};
constexpr ForeignFormat foreignFormats[] = {
    {"inter_dim", phrase("DeepSeek's inference code")},
    {"heads_num", "UER"},
    {"feedforward_size", "UER"},
    {"ffn_dim_multiplier", phrase("Meta's params.json")},
    {"multiple_of", phrase("Meta's params.json")},
    {"dim", phrase("Meta's or Mistral's params.json")},
    {"general.architecture", "GGUF"},
    {"ssm_cfg", phrase("state-spaces' own mamba_ssm code"),
     phrase("give the config.json of the version of the model whose name ends in -hf")},
};

/// model_type, or what stands in for it; empty with a problem.
std::string modelTypeFor(const ConfigKeys& part, const ConfigKeys& top, Diagnostics& warnings)
{
    std::string type = part.text({"model_type"}, top.text({"model_type"}));
    const std::string architecture = firstArchitecture(part, top);
    if (type == "git" && architecture.starts_with("Grok")) { // as Grok 2's file has it
        type = "grok-2";
        warnings.push_back(
            {Severity::Warning,
             "assumed",
             part.path() + "/model_type",
             say("model_type is '{}', but the architecture is {}: taken for {}", "git", printable(architecture), type),
             {},
             {},
             0});
    }
    // Mistral's params.json of a Mamba has a model_type, too.
    const bool foreign =
        part.has("dim") && part.has("n_layers") && architecture.empty() && findRefused(type) == nullptr;
    if (!type.empty() && !foreign)
        return type;
    type = modelTypeOf(architecture);
    if (type.empty() && part.has("n_layers") && part.has("d_model") && part.has("expansion_ratio"))
        type = "mpt";
    if (!type.empty()) {
        warnings.push_back({Severity::Warning,
                            "assumed",
                            part.path() + "/model_type",
                            say("model_type is absent: taken for {}", type),
                            {},
                            {},
                            0});
        return type;
    }
    const std::string hint = said("give the config.json that lies beside the model's weights on the hub");
    for (const ForeignFormat& format : foreignFormats)
        if (part.has(format.key)) {
            part.problem("not-hugging-face", format.key,
                         say("this is not a Hugging Face config: '{}' is a key of {}", format.key, say(format.name)),
                         said(format.hint));
            return {};
        }
    if (architecture.empty())
        part.problem("not-hugging-face", "model_type",
                     said("this is not a Hugging Face config: neither model_type nor architectures is there"), hint);
    else
        part.problem("unsupported-model", "model_type",
                     say("model_type is absent and the architecture '{}' is not known", printable(architecture)),
                     said("add the model_type"));
    return {};
}

/// Where a multimodal file says it at the top only; otherwise what the family's class assumes. Of a class that nobody
/// knows it is what the base of all classes has: transformers 4 writes the key only where it is another.
bool tiedEmbeddings(Draft& d, const ConfigKeys& top, const Family* family)
{
    const bool usual = family == nullptr || family->tied == TiedDefault::Yes;
    if (!d.keys.has("tie_word_embeddings") && !top.has("tie_word_embeddings")) {
        if (family == nullptr)
            d.warn("tie_word_embeddings",
                   say("tie_word_embeddings is absent: the output head is the embedding, as the base class of "
                       "transformers has it; a head of its own adds {} parameters",
                       wholeText(double(d.model.vocab) * double(d.model.hidden))));
        else
            d.warn(
                "tie_word_embeddings",
                usual ? said("tie_word_embeddings is absent: the output head is the embedding, as usual in this family")
                      : said("tie_word_embeddings is absent: the output head has weights of its own"));
    }
    return d.keys.flag({"tie_word_embeddings"}, top.flag({"tie_word_embeddings"}, usual));
}

std::string dataTypeOf(const ConfigKeys& part, const ConfigKeys& top)
{
    std::string type = part.text({"torch_dtype", "dtype"}, top.text({"torch_dtype", "dtype"}));
    if (type.starts_with("torch."))
        type.erase(0, 6);
    if (type == "fp8")
        return "float8_e4m3";
    if (!type.empty() && type != "auto")
        return type;
    if (part.flag({"fp16"}, false)) // Qwen 1
        return "float16";
    return part.flag({"fp32"}, false) ? "float32" : "bfloat16";
}

std::string nameOf(const ConfigKeys& part, const ConfigKeys& top, const std::string& modelType)
{
    std::string name = top.text({"_name_or_path"}, part.text({"_name_or_path"}));
    while (!name.empty() && name.back() == '/')
        name.pop_back();
    if (const auto slash = name.find_last_of("/\\"); slash != std::string::npos)
        name.erase(0, slash + 1);
    return name.empty() || name == "." ? modelType : name;
}

std::string activeDefinition(const ModelArchitecture& m, const Family* family)
{
    std::string ours = m.moe.experts > 0
                           ? say("{} of {} experts, input embedding and output head counted", m.moe.topK, m.moe.experts)
                           : said("dense: every parameter is active, input embedding and output head counted");
    const MakerActive maker = family == nullptr ? MakerActive::Unstated : family->makerActive;
    if (m.moe.experts == 0 || maker == MakerActive::Unstated)
        return ours;
    if (maker == MakerActive::Everything)
        return say("{}; the maker counts the same way", ours);
    const ParameterCounts counts = countParameters(m);
    const bool headIn = maker == MakerActive::NoInputEmbedding;
    return say("{}; the maker leaves out {}: {}", ours,
               headIn ? say("the input embedding") : say("input embedding and output head"),
               formatText(headIn ? counts.activeNoInputEmbedding : counts.active - counts.embedding - counts.lmHead,
                          ValueFormat::Parameters));
}

std::optional<Quantization> quantizationOf(const ConfigKeys& part, const ConfigKeys& top, const ModelParts& model,
                                           Diagnostics& warnings)
{
    std::optional<Quantization> result;
    if (top.has("quantization_config"))
        result = readQuantization(top.object("quantization_config"), model, warnings);
    else if (part.has("quantization_config"))
        result = readQuantization(part.object("quantization_config"), model, warnings);
    else if (top.has("compression_config"))
        result = readQuantization(top.object("compression_config"), model, warnings);
    else if (top.has("quantization")) // MLX
        result = readQuantization(top.object("quantization"), model, warnings);
    if (result && part.text({"expert_dtype"}) == "fp4") {
        result->algorithm = fp4Experts;
        warnings.push_back({Severity::Warning,
                            "assumed",
                            part.path() + "/expert_dtype",
                            said("the experts are stored in FP4 although quantization_config says otherwise"),
                            {},
                            {},
                            0});
    }
    return result;
}

/// NVIDIA's separate file; what is wrong in it becomes a problem that bears its name.
std::optional<Quantization> readQuantizationText(std::string_view text, const ModelParts& model, Diagnostics& warnings,
                                                 Diagnostics& problems)
{
    std::optional<Quantization> result;
    Diagnostics own, ownWarnings;
    if (auto parsed = parseConfig(text))
        result = readQuantizationFile(ConfigKeys(*parsed, {}, own), model, ownWarnings);
    else
        own = std::move(parsed.error());
    for (Diagnostics* list : {&own, &ownWarnings})
        for (Diagnostic& diagnostic : *list)
            diagnostic.file = hfQuantFile;
    problems.insert(problems.end(), own.begin(), own.end());
    warnings.insert(warnings.end(), ownWarnings.begin(), ownWarnings.end());
    return result;
}

/// Of a model that was read without a problem; otherwise its layers alone are sure.
ModelParts partsOf(const ModelArchitecture& model, const Diagnostics& problems)
{
    return problems.empty() ? modelParts(model) : ModelParts{model.layers};
}

/// Reads facts and layers into `d`; `family` null = unknown.
void readModel(Draft& d, const ConfigKeys& top, const Family* family, Diagnostics& problems)
{
    readCommonFacts(d);
    const std::string architecture = firstArchitecture(d.keys, top);
    const bool bare = !top.has("hidden_size") && !top.has("num_hidden_layers"); // or the sizes stand in the wrong place
    applyClassDefaults(d, bare && top.has("architectures"));
    readScaledContext(d);
    d.model.tied = tiedEmbeddings(d, top, family);
    d.model.dataType = dataTypeOf(d.keys, top);
    if (family != nullptr)
        family->read(d);
    else
        readUnknownFamily(d);
    finish(d, problems);
    d.model.quantization = quantizationOf(d.keys, top, partsOf(d.model, problems), d.warnings);
    noteAbsentHead(d, architecture);
    if (family == nullptr && !problems.empty())
        problems.insert(problems.begin(), {Severity::Error,
                                           "unsupported-model",
                                           d.keys.path() + "/model_type",
                                           say("the model_type '{}' is unknown, and it cannot be counted as Llama-like",
                                               printable(d.modelType)),
                                           said("what stands against it follows"),
                                           {},
                                           0});
}

/// Lines of the places in the config; not in large files, each of which would be parsed once a message.
Diagnostics withLines(Diagnostics problems, std::string_view text)
{
    constexpr std::size_t largest = 1u << 20;
    if (text.size() > largest)
        return problems;
    const std::string plain = withoutBareWords(text);
    for (Diagnostic& problem : problems)
        if (problem.file.empty() && problem.line == 0)
            problem.line = lineOfJsonPath(plain, problem.path);
    return problems;
}

} // namespace

Expected<HfImport> importHfConfig(std::string_view configText, std::string_view quantText)
{
    auto config = parseConfig(configText);
    if (!config)
        return tl::unexpected(std::move(config.error()));
    Diagnostics problems;
    HfImport result;
    std::vector<ConfigKeys> parts;
    for (const LanguagePart& part : languageParts(*config))
        parts.emplace_back(*part.object, part.path, problems);
    const ConfigKeys &top = parts.front(), &part = parts.back();

    const std::string modelType = modelTypeFor(part, top, result.warnings);
    if (!problems.empty())
        return tl::unexpected(std::move(problems));
    for (const ConfigKeys* keys : {&top, &part}) { // CLIP's text part alone does not say that it is an encoder
        const std::string type = keys == &part ? modelType : keys->text({"model_type"});
        if (const RefusedFamily* refused = findRefused(type))
            return fail("unsupported-model", keys->path() + "/model_type",
                        say("{} cannot be counted: {}", type, say(refused->reason)),
                        said("decoder-only attention, Mamba and linear-attention models can"));
        if (keys->flag({"is_encoder_decoder"}, false))
            return fail("unsupported-model", keys->path() + "/is_encoder_decoder",
                        say("{} cannot be counted: {}", type, say("it is an encoder-decoder model")));
    }

    ModelArchitecture& model = result.architecture;
    Draft draft{part, modelType, model, result.warnings, {}, true};
    const Family* family = findFamily(modelType);
    readModel(draft, top, family, problems);
    noteTowers(parts, result.warnings);
    if (!quantText.empty())
        model.quantization = readQuantizationText(quantText, partsOf(model, problems), result.warnings, problems);
    if (!problems.empty())
        return tl::unexpected(withLines(std::move(problems), configText));

    model.modelType = modelType;
    model.family = family == nullptr ? "unknown" : std::string(family->name);
    model.name = nameOf(part, top, modelType);
    model.custom = true;
    model.exact = result.exact = draft.exact;
    for (const Diagnostic& warning : result.warnings)
        model.warnings.push_back(warning.message);
    result.activeDefinition = activeDefinition(model, family);
    return result;
}

} // namespace headroom
