// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_profile.hpp"
// PLACEHOLDER, replaced by the model work.
namespace headroom {
ModelProfile compileModel(ModelArchitecture architecture)
{
    ModelProfile p;
    p.parameters = countParameters(architecture);
    p.layers = double(architecture.layers); p.hidden = double(architecture.hidden); p.vocab = double(architecture.vocab);
    p.architecture = std::move(architecture);
    return p;
}
ParameterCounts countParameters(const ModelArchitecture&) { return {}; }
} // namespace headroom
