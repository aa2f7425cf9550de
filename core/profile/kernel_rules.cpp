// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/kernel_rules.hpp"

#include "core/support/embedded.hpp"
#include "core/support/json_reader.hpp"
#include "core/support/say.hpp"

#include <algorithm>

namespace headroom::profile
{
namespace
{

constexpr std::array<NamedValue<KernelClass>, kernelClassCount> classes{{
    {"matmul", KernelClass::Matmul},
    {"attention", KernelClass::Attention},
    {"router", KernelClass::Router},
    {"norm", KernelClass::Norm},
    {"quantise", KernelClass::Quantise},
    {"elementwise", KernelClass::Elementwise},
    {"optimizer", KernelClass::Optimizer},
    {"copy", KernelClass::Copy},
    {"communication", KernelClass::Communication},
    {"other", KernelClass::Other},
}};

/// Without Waiting: no name says it.
constexpr std::array<NamedValue<Collective>, collectiveCount - 1> collectives{{
    {"all_reduce", Collective::AllReduce},
    {"all_gather", Collective::AllGather},
    {"reduce_scatter", Collective::ReduceScatter},
    {"all_to_all", Collective::AllToAll},
    {"send_recv", Collective::SendRecv},
    {"other", Collective::Other},
}};

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

std::string lowered(std::string_view text)
{
    std::string result(text);
    std::ranges::transform(result, result.begin(), lower);
    return result;
}

bool holdsOne(std::string_view name, const std::vector<std::string>& parts)
{
    return std::ranges::any_of(parts, [&](const std::string& part) { return name.find(part) != name.npos; });
}

/// A pattern that is empty would match everything.
void checkPatterns(ObjectReader& row, std::string_view key, const std::vector<std::string>& patterns)
{
    if (std::ranges::any_of(patterns, [](const std::string& pattern) { return pattern.empty(); }))
        row.error(key, "empty-pattern", said("an empty text is part of every name"), said("leave it out"));
}

KernelRule readRule(ObjectReader& row)
{
    KernelRule rule;
    row.choice("class", rule.kind.kernelClass, classes, Presence::Required);
    row.choice("kind", rule.kind.collective, collectives);
    row.strings("contains", rule.contains);
    row.strings("begins", rule.begins);
    row.strings("also", rule.also);
    row.boolean("ignore_case", rule.ignoreCase);
    row.ignore({"source"}); // for people
    if (rule.contains.empty() && rule.begins.empty())
        addDiagnostic(row.diagnostics(), "missing-key", row.path(), said("a row needs \"contains\" or \"begins\""),
                      said("list texts of which a kernel's name holds one"));
    for (const auto& [key, patterns] :
         {std::pair("contains", &rule.contains), {"begins", &rule.begins}, {"also", &rule.also}})
        checkPatterns(row, key, *patterns);
    if (rule.ignoreCase)
        for (auto* patterns : {&rule.contains, &rule.begins, &rule.also})
            std::ranges::transform(*patterns, patterns->begin(), lowered);
    return rule;
}

Expected<std::vector<KernelRule>> readRules(std::string_view text)
{
    const auto json = parseJson(text);
    if (!json)
        return tl::unexpected(json.error());
    Diagnostics problems;
    std::vector<KernelRule> rules;
    ObjectReader document(*json, "", problems);
    std::string format;
    if (document.string("format", format, Presence::Required) && format != "headroom-profile-rules")
        document.error("format", "wrong-format", say("this is a '{}', no table of kernel rules", format),
                       R"("format": "headroom-profile-rules")");
    int version = 1;
    document.integer("version", version, 1, 1, Presence::Required);
    document.objects(
        "rules", [&](ObjectReader& row) { rules.push_back(readRule(row)); }, Presence::Required);
    document.finish();
    if (problems.empty())
        return rules;
    addLines(problems, text);
    return tl::unexpected(std::move(problems));
}

} // namespace

std::string_view idOf(KernelClass kernelClass)
{
    return nameOf(classes, kernelClass);
}

std::string_view idOf(Collective collective)
{
    return collective == Collective::Waiting ? "waiting" : nameOf(collectives, collective);
}

std::string_view label(KernelClass kernelClass)
{
    switch (kernelClass) {
    case KernelClass::Matmul:
        return phrase("matmuls");
    case KernelClass::Attention:
        return phrase("attention core");
    case KernelClass::Router:
        return phrase("router");
    case KernelClass::Norm:
        return phrase("norms");
    case KernelClass::Quantise:
        return phrase("quantising");
    case KernelClass::Elementwise:
        return phrase("elementwise");
    case KernelClass::Optimizer:
        return phrase("optimizer");
    case KernelClass::Copy:
        return phrase("copies");
    case KernelClass::Communication:
        return phrase("communication");
    case KernelClass::Other:
        return phrase("not recognised");
    }
    return {};
}

std::string_view label(Collective collective)
{
    switch (collective) {
    case Collective::AllReduce:
        return phrase("all-reduce");
    case Collective::AllGather:
        return phrase("all-gather");
    case Collective::ReduceScatter:
        return phrase("reduce-scatter");
    case Collective::AllToAll:
        return phrase("all-to-all");
    case Collective::SendRecv:
        return phrase("sends and receives");
    case Collective::Other:
        return phrase("other communication");
    case Collective::Waiting:
        return phrase("waiting for another rank");
    }
    return {};
}

bool KernelRule::matches(std::string_view name) const
{
    std::string small;
    if (ignoreCase)
        name = small = lowered(name);
    const bool begun = std::ranges::any_of(begins, [&](const std::string& part) { return name.starts_with(part); });
    return (begun || holdsOne(name, contains)) && (also.empty() || holdsOne(name, also));
}

const KernelRules& KernelRules::builtIn()
{
    static const KernelRules rules = [] {
        KernelRules made;
        if (auto rows = readRules(embeddedFile("profile_rules.json").value_or("")))
            made.m_rows = *std::move(rows);
        return made;
    }();
    return rules;
}

Expected<KernelRules> KernelRules::withOwn(std::string_view json)
{
    auto rows = readRules(json);
    if (!rows)
        return tl::unexpected(rows.error());
    KernelRules made;
    made.m_rows = *std::move(rows);
    const auto& own = builtIn().m_rows;
    made.m_rows.insert(made.m_rows.end(), own.begin(), own.end());
    return made;
}

KernelKind KernelRules::kindOf(std::string_view name) const
{
    const auto row = std::ranges::find_if(m_rows, [&](const KernelRule& rule) { return rule.matches(name); });
    return row == m_rows.end() ? KernelKind{} : row->kind;
}

std::optional<Collective> collectiveNamed(std::string_view name)
{
    std::string plain;
    for (const char c : name)
        if (c != '_' && c != ' ')
            plain += lower(c);
    constexpr std::array<std::pair<std::string_view, Collective>, 7> words{{
        {"allreduce", Collective::AllReduce},
        {"allgather", Collective::AllGather},
        {"reducescatter", Collective::ReduceScatter},
        {"alltoall", Collective::AllToAll},
        {"send", Collective::SendRecv},
        {"recv", Collective::SendRecv},
        {"broadcast", Collective::Other},
    }};
    for (const auto& [word, collective] : words)
        if (plain.find(word) != plain.npos)
            return collective;
    return std::nullopt;
}

} // namespace headroom::profile
