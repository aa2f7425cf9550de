// SPDX-License-Identifier: GPL-3.0-or-later
// The explanation of a metric as rich text: the derivation with its numbers, other conventions, sources.
#pragma once

#include "core/charts/chart_registry.hpp"
#include "core/explain/derive.hpp"
#include "core/explain/result_notes.hpp"
#include "core/explore/advice.hpp"
#include "core/profile/profile_advice.hpp"
#include "ui/theme/theme.hpp"

#include <QString>

namespace headroom::ui
{

/// Above a part of the panel; plain text.
[[nodiscard]] QString headingHtml(const QString& text, const Theme& theme);
/// A link without a line under it; `html` is escaped already.
[[nodiscard]] QString linkHtml(const QString& target, const QString& html, const Theme& theme);

/// Links: "param:ID" for a symbol behind which a slider stands, "convention:ID" for another way of counting,
/// https for the source of a run. `asides` stand between the derivation and its sources.
/// `marked` is the parameter whose symbol is to stand out; may be empty.
[[nodiscard]] QString explanationHtml(const Derivation& derivation, const QString& asides, const Theme& theme,
                                      const QString& marked);

/// Which point of a chart is explained, with a way back ("back:"); empty where it is the scenario in hand.
[[nodiscard]] QString pointHtml(const QString& where, const Theme& theme);
/// What to change next, one link each: "advice:0" is the first. Empty without advice.
[[nodiscard]] QString adviceHtml(const std::vector<Advice>& advice, const Evaluation& evaluation, const Theme& theme);
/// The same where one step and several together were looked for in vain.
[[nodiscard]] QString nothingHtml(const Evaluation& evaluation, const Theme& theme);
/// A line with a link *Apply* at its end.
[[nodiscard]] QString choiceHtml(const std::string& text, const QString& target, const Theme& theme);
/// Whether the explanation of this figure holds a profile: times of a step do, where the scenario has one.
[[nodiscard]] bool showsProfile(const QString& metricId, const ChartContext& context);
/// The parts of the scenario's profile beside the prediction, and what it says to change (ui/panels/profile_html.cpp):
/// "profile:0" applies the change of the first. `kernels`: those whose names were kept; may be null.
[[nodiscard]] QString profileHtml(const profile::ProfileComparison& comparison,
                                  const std::vector<profile::ProfileAdvice>& advice, const ProfiledKernels* kernels,
                                  const Theme& theme);
/// What the result assumes or leaves out, under its heading; empty where `known` or nothing says it.
[[nodiscard]] QString notesHtml(const std::vector<ResultNote>& notes, const std::vector<std::string>& known,
                                const Theme& theme);
/// The notes alone, each with a link "param:ID" where one slider is behind it.
[[nodiscard]] QString noteListHtml(const std::vector<ResultNote>& notes, const Theme& theme);
/// "glossary:METRIC".
[[nodiscard]] QString glossaryHtml(const QString& metricId, const Theme& theme);

/// MFU under every convention with its formula and who uses it (ui/panels/conventions.cpp).
[[nodiscard]] QString conventionsHtml(const PreparedScenario& prepared, const Evaluation& evaluation,
                                      const Theme& theme);

} // namespace headroom::ui
