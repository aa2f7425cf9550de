// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/derivation_builder.hpp"
#include "core/predict/utilization.hpp"
#include "core/support/say.hpp"

namespace headroom::derivations
{

namespace
{

using enum ValueFormat;

struct Term {
    std::string_view name;
    double value;
};

/// Shows what is not zero and adds it up.
double sumOf(DerivationBuilder& b, std::initializer_list<Term> terms, ValueFormat format, std::string& text)
{
    double sum = 0;
    for (const Term& term : terms) {
        if (term.value == 0)
            continue;
        b.input("", term.name, term.value, format);
        sum += term.value;
        text += (text.empty() ? "" : " + ") + shown(term.value, format);
    }
    return sum;
}

} // namespace

void flopsModel(DerivationBuilder& b)
{
    const FlopCounts& f = b.e.flops;
    std::string text;
    const double known = sumOf(b,
                               {{say("forward"), f.forward},
                                {say("gradients of the inputs"), f.backwardActivation},
                                {say("gradients of the weights"), f.backwardWeight}},
                               Plain, text);
    b.result(say("sum over the operators"), text, known);
    b.assume(say("Causal attention counts the keys that a query may see; the embedding look-up counts nothing."));
}

void flopsHardware(DerivationBuilder& b)
{
    const double model = b.input("F", say("model FLOP"), b.e.flops.model, Plain);
    const double again =
        b.input("F′", b.e.speculation ? say("drafting, and drafts thrown away") : say("computed again"),
                b.e.flops.hardware - model, Plain);
    if (b.training())
        b.parameter("checkpointing");
    b.result("F + F′", fmt::format("{} + {}", scientific(model), scientific(again)), model + again);
}

void parametersTotal(DerivationBuilder& b)
{
    const ParameterCounts& n = b.p.model->parameters;
    std::string text;
    const double known = sumOf(b,
                               {{say("embedding"), n.embedding},
                                {say("positions"), n.position},
                                {say("attention"), n.attention},
                                {say("linear attention"), n.linear},
                                {say("state-space blocks"), n.stateSpace},
                                {say("dense feed-forward"), n.dense},
                                {say("experts and routers"), n.moe},
                                {say("norms"), n.norms},
                                {say("LM head"), n.lmHead}},
                               Parameters, text);
    const double rest = n.total - known;
    if (rest != 0) {
        b.input("", say("other tensors"), rest, Parameters);
        text += " + " + shown(rest, Parameters);
    }
    b.result(say("sum over all tensors"), text, known + rest, b.modelSource());
}

void parametersActive(DerivationBuilder& b)
{
    const ParameterCounts& n = b.p.model->parameters;
    const double total = b.input("N", say("all parameters"), n.total, Parameters, b.modelSource());
    const double idle = n.total - n.active;
    if (b.p.model->experts > 0) {
        b.input("E", say("experts in a layer"), b.p.model->experts, Integer, b.modelSource());
        b.input("k", say("experts a token is sent to"), b.p.model->topK, Integer, b.modelSource());
    }
    b.input("N′", say("experts that a token is not sent to"), idle, Parameters);
    b.result("N − N′", fmt::format("{} − {}", shown(total, Parameters), shown(idle, Parameters)), total - idle);
}

void parametersTrainable(DerivationBuilder& b)
{
    b.parameter("method");
    if (const double predicting = b.e.trainableParameters - b.e.totalParameters;
        b.p.training.method == Method::Full && predicting > 0) {
        const double all = b.input("N", say("all parameters"), b.e.totalParameters, Parameters, b.modelSource());
        b.input("p", say("parameters of the layers for multi-token prediction"), predicting, Parameters,
                b.modelSource());
        b.result("N + p", fmt::format("{} + {}", shown(all, Parameters), shown(predicting, Parameters)),
                 all + predicting);
        return;
    }
    if (b.p.training.method == Method::Full) {
        b.result(say("all parameters"), shown(b.e.totalParameters, Parameters), b.e.totalParameters, b.modelSource());
        return;
    }
    const double rank = b.parameter("lora_rank");
    b.parameter("lora_targets");
    const double widths = b.input("w", say("inputs and outputs of the adapted matrices, summed"),
                                  loraParameters(*b.p.model, 1, b.p.training.loraTargets), Parameters, b.modelSource());
    b.result("r × w", product({{rank, Integer}, {widths, Parameters}}), rank * widths);
}

} // namespace headroom::derivations
