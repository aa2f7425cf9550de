// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog: the names that architecture objects use for the enumerations of
// ModelArchitecture.
#pragma once

#include "core/model/model_architecture.hpp"
#include "core/support/named_value.hpp"

#include <array>

namespace headroom
{

// The first name of a value is the one that is written; the others are accepted.
inline constexpr std::array<NamedValue<NormKind>, 4> normNames{{{"rmsnorm", NormKind::RmsNorm},
                                                                {"layernorm", NormKind::LayerNorm},
                                                                {"layernorm_nobias", NormKind::LayerNormNoBias},
                                                                {"nonparametric", NormKind::NonParametric}}};
inline constexpr std::array<NamedValue<PositionKind>, 5> positionNames{{{"rope", PositionKind::Rope},
                                                                        {"learned", PositionKind::Learned},
                                                                        {"alibi", PositionKind::Alibi},
                                                                        {"relative", PositionKind::Relative},
                                                                        {"none", PositionKind::None}}};
inline constexpr std::array<NamedValue<AttentionKind>, 6> attentionNames{{{"none", AttentionKind::None},
                                                                          {"mha", AttentionKind::Mha},
                                                                          {"gqa", AttentionKind::Gqa},
                                                                          {"mqa", AttentionKind::Mqa},
                                                                          {"mla", AttentionKind::Mla},
                                                                          {"dsv4", AttentionKind::Dsv4}}};
inline constexpr std::array<NamedValue<QkNorm>, 4> qkNormNames{
    {{"none", QkNorm::None}, {"head", QkNorm::Head}, {"full", QkNorm::Full}, {"matrix", QkNorm::Full}}};
inline constexpr std::array<NamedValue<OutputGate>, 3> gateNames{
    {{"none", OutputGate::None}, {"element", OutputGate::Element}, {"head", OutputGate::Head}}};
inline constexpr std::array<NamedValue<MlpKind>, 5> mlpNames{{{"none", MlpKind::None},
                                                              {"dense", MlpKind::Dense},
                                                              {"dense2", MlpKind::DenseDouble},
                                                              {"moe", MlpKind::Moe},
                                                              {"dense+moe", MlpKind::DenseAndMoe}}};
inline constexpr std::array<NamedValue<LinearKind>, 3> linearNames{
    {{"gated_deltanet", LinearKind::GatedDeltaNet}, {"lightning", LinearKind::Lightning}, {"kda", LinearKind::Kda}}};

// As config.json spells them.
inline constexpr std::array<NamedValue<StateType>, 4> stateTypeNames{{{"unstated", StateType::Unstated},
                                                                      {"float32", StateType::Float32},
                                                                      {"bfloat16", StateType::Bfloat16},
                                                                      {"float16", StateType::Float16}}};
inline constexpr std::array<NamedValue<bool>, 2> slidingNames{{{"sliding", false}, {"chunked", true}}};
inline constexpr std::array<NamedValue<bool>, 2> indexerNames{{{"dsa", false}, {"msa", true}}};

} // namespace headroom
