// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/calibration (it includes nlohmann/json): CalibrationReader, strict reading of one object of
// calibration.json, every number with its source.
#pragma once

#include "core/support/diagnostic.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

struct Calibration;
struct EnergyCalibration;
struct InferenceCalibration;
struct RlCalibration;
struct TrainingCalibration;

/// Reads the members of one JSON object. Each key must be present, of the right kind and in range; what is asked for
/// is remembered, and finish() reports the keys that nobody asked for. Problems collect; reading goes on.
class CalibrationReader final
{
public:
    CalibrationReader(const nlohmann::json& value, std::string path, Diagnostics& problems);

    /// A bare number in [low, high]; `low` where there is a problem.
    [[nodiscard]] double number(std::string_view key, double low, double high);
    /// {"value": number, "source": text}: a constant that explains itself.
    [[nodiscard]] double constant(std::string_view key, double low, double high);
    [[nodiscard]] bool flag(std::string_view key);
    /// A non-empty text; empty where there is a problem.
    [[nodiscard]] std::string text(std::string_view key);
    [[nodiscard]] bool has(std::string_view key) const;
    /// A member object.
    [[nodiscard]] CalibrationReader object(std::string_view key);
    /// The elements of a member array of objects.
    [[nodiscard]] std::vector<CalibrationReader> rows(std::string_view key);
    /// One problem about `key` of this object.
    void refuse(std::string_view key, std::string message, std::string hint = {});
    /// Call last: every key that was not asked for is an error. A "comment" is allowed anywhere.
    void finish();

private:
    const nlohmann::json* member(std::string_view key, std::string_view expected);
    [[nodiscard]] double checked(const nlohmann::json& value, std::string_view key, double low, double high);

    const nlohmann::json* m_value;
    std::string m_path;
    Diagnostics* m_problems;
    std::vector<std::string> m_asked; ///< few: looked through faster than a tree is built
};

/// A whole document, every key checked (calibration.cpp).
[[nodiscard]] Expected<Calibration> readCalibration(const nlohmann::json& document, std::string origin);
/// Reads the constants of one task anew; false, and what was there as it was, where they are not sound.
[[nodiscard]] bool readAgain(const nlohmann::json& document, TrainingCalibration& training);
[[nodiscard]] bool readAgain(const nlohmann::json& document, InferenceCalibration& inference);
/// The optional "fit" of a section: what its constants were fitted to and the residuals. Checked, for it is shown, and
/// not kept: no prediction reads it.
void readFitRecord(CalibrationReader& section);
// The sections, each in its own file.
void readTrainingCalibration(CalibrationReader section, TrainingCalibration& calibration); // training_calibration.cpp
void readInferenceCalibration(CalibrationReader section,
                              InferenceCalibration& calibration);                      // inference_calibration.cpp
void readEnergyCalibration(CalibrationReader section, EnergyCalibration& calibration); // energy_calibration.cpp
void readRlCalibration(CalibrationReader section, RlCalibration& calibration);         // rl_calibration.cpp

} // namespace headroom
