// SPDX-License-Identifier: GPL-3.0-or-later
// CalibrationDocument: calibration.json as a document whose numbers can be changed and which prints as it is kept.
#pragma once

#include "core/calibration/calibration.hpp"
#include "core/scenario/scenario.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace headroom
{

/// Numbers and texts are addressed by path: "/training/constants/start_s/value", and rows of an array by what they
/// hold: "/training/matmul/family=A100,class=16 bit/sustained".
class CalibrationDocument final
{
public:
    [[nodiscard]] static Expected<CalibrationDocument> parse(std::string_view text);
    /// The document compiled into the library.
    [[nodiscard]] static CalibrationDocument builtIn();

    CalibrationDocument(const CalibrationDocument& other);
    CalibrationDocument(CalibrationDocument&& other) noexcept;
    CalibrationDocument& operator=(CalibrationDocument other) noexcept;
    ~CalibrationDocument();

    /// Empty where the path leads to no number.
    [[nodiscard]] std::optional<double> number(std::string_view path) const;
    /// False where there is none. Keeps five significant digits: no fit knows more.
    bool setNumber(std::string_view path, double value);
    bool setText(std::string_view path, std::string_view text);
    /// Puts a JSON value (as text) in the place of a member of the object at `path`; adds the member where missing.
    bool setMember(std::string_view path, std::string_view key, std::string_view json);

    /// read() passes over the records of earlier fits from now on: most of its work, and a fit reads thousands of
    /// times. text() still has them.
    void passOverRecords();
    /// The constants, checked as the built-in ones are.
    [[nodiscard]] Expected<Calibration> read() const;
    /// Reads the constants of one task anew; false, and `calibration` as it was, where they are not sound.
    [[nodiscard]] bool readAgain(Task task, Calibration& calibration) const;
    /// One line for each row that holds no further object or array, members in their order.
    [[nodiscard]] std::string text() const;

private:
    struct Data;
    explicit CalibrationDocument(std::unique_ptr<Data> data);
    std::unique_ptr<Data> m_data;
};

} // namespace headroom
