// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/catalog.hpp"
// PLACEHOLDER, replaced by the catalogue work: one accelerator, one model.
namespace headroom {
Catalog Catalog::builtIn()
{
    Accelerator a;
    a.id = "h100-sxm-80gb"; a.name = "H100 SXM5 80GB"; a.vendor = "NVIDIA"; a.memoryGb = 80; a.memoryUsableGib = 79.65;
    a.memoryBandwidthGbPerS = 3350; a.peak.bf16 = a.peak.fp16 = 989.4; a.peak.fp8 = 1978.9; a.scaleUpGbPerS = 450;
    a.scaleUpDomain = 8; a.scaleOutGbitPerS = 400; a.tdpWatts = 700; a.family = AcceleratorFamily::Hopper;
    ModelArchitecture m;
    m.id = "llama-3-8b"; m.name = "Llama 3 8B"; m.layers = 32; m.hidden = 4096; m.heads = 32; m.kvHeads = 8;
    m.headDim = 128; m.ffn = 14336; m.vocab = 128256; m.maxContext = 8192;
    m.schedule = {{1, {{32, "full", MlpKind::Dense}}}};
    Catalog c;
    return c.with(a).with(m);
}
std::shared_ptr<const Accelerator> Catalog::accelerator(std::string_view id) const
{
    for (const auto& a : m_accelerators) if (a->id == id) return a;
    return nullptr;
}
std::shared_ptr<const ModelArchitecture> Catalog::model(std::string_view id) const
{
    for (const auto& m : m_models) if (m->id == id) return m;
    return nullptr;
}
std::vector<std::shared_ptr<const Accelerator>> Catalog::searchAccelerators(std::string_view) const { return m_accelerators; }
std::vector<std::shared_ptr<const ModelArchitecture>> Catalog::searchModels(std::string_view) const { return m_models; }
Catalog Catalog::with(Accelerator a) const { Catalog c = *this; c.m_accelerators.push_back(std::make_shared<const Accelerator>(std::move(a))); return c; }
Catalog Catalog::with(ModelArchitecture m) const { Catalog c = *this; c.m_models.push_back(std::make_shared<const ModelArchitecture>(std::move(m))); return c; }
} // namespace headroom
