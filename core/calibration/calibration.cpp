// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/calibration.hpp"

#include "core/calibration/calibration_reader.hpp"
#include "core/support/embedded.hpp"
#include "core/support/say.hpp"

#include <cstdio>
#include <cstdlib>

namespace headroom
{
namespace
{

/// Beyond any real file: the built-in one is below 100 kB.
constexpr std::size_t maximumBytes = 4u << 20;

Expected<std::shared_ptr<const Calibration>> read(std::string_view text, std::string origin)
{
    if (text.size() > maximumBytes)
        return fail("too-large", "", said("the calibration is over 4 MiB"));
    const auto limit = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) { return depth <= 32; };
    const nlohmann::json document = nlohmann::json::parse(text, limit, false, true);
    if (document.is_discarded())
        return fail("syntax", "", said("is not valid JSON"), said("start from the built-in calibration.json"));
    auto calibration = readCalibration(document, std::move(origin));
    if (!calibration)
        return tl::unexpected(std::move(calibration.error()));
    return std::make_shared<const Calibration>(*std::move(calibration));
}

/// The constants of one section; false, and `constants` as they were, where they are not sound.
template <typename Constants>
bool readSection(const nlohmann::json& document, std::string_view key,
                 void (*readConstants)(CalibrationReader, Constants&), Constants& constants)
{
    Diagnostics problems;
    Constants found;
    readConstants(CalibrationReader(document, "", problems).object(key), found);
    if (problems.empty())
        constants = std::move(found);
    return problems.empty();
}

} // namespace

Expected<Calibration> readCalibration(const nlohmann::json& document, std::string origin)
{
    Diagnostics problems;
    Calibration calibration;
    calibration.origin = std::move(origin);
    CalibrationReader reader(document, "", problems);
    if (const std::string format = reader.text("format"); !format.empty() && format != "headroom-calibration")
        reader.refuse("format", said("is not a calibration"), said("expected \"headroom-calibration\""));
    static_cast<void>(reader.number("version", 1, 1));
    readEnergyCalibration(reader.object("energy"), calibration.energy);
    readTrainingCalibration(reader.object("training"), calibration.training);
    readInferenceCalibration(reader.object("inference"), calibration.inference);
    readRlCalibration(reader.object("rl"), calibration.rl);
    reader.finish();
    if (!problems.empty())
        return tl::unexpected(std::move(problems));
    return calibration;
}

bool readAgain(const nlohmann::json& document, TrainingCalibration& training)
{
    return readSection(document, "training", readTrainingCalibration, training);
}

bool readAgain(const nlohmann::json& document, InferenceCalibration& inference)
{
    return readSection(document, "inference", readInferenceCalibration, inference);
}

std::shared_ptr<const Calibration> Calibration::builtIn()
{
    static const auto shared = [] {
        auto result = read(embeddedFile("calibration.json").value_or(""), "built-in");
        if (!result) { // a defect of the build, caught by tests/core/test_calibration.cpp
            for (const Diagnostic& problem : result.error())
                std::fprintf(stderr, "calibration.json: %s\n", toText(problem).c_str());
            std::abort();
        }
        return *std::move(result);
    }();
    return shared;
}

Expected<std::shared_ptr<const Calibration>> Calibration::fromJson(std::string_view text)
{
    return read(text, "file");
}

} // namespace headroom
