// SPDX-License-Identifier: GPL-3.0-or-later
// Lesson: a guided sequence of steps on a scenario — words, questions and what the learner is to bring about; a value.
#pragma once

#include "core/scenario/scenario.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom
{

/// One change of a scenario: a parameter's new value, a parameter left to itself again, another model or accelerator.
struct LessonEdit {
    enum class Kind : std::uint8_t { Set, Reset, Model, Accelerator };
    Kind kind = Kind::Set;
    std::string name; ///< parameter id, or catalogue id
    double value = 0; ///< of Set; choices as their index
    bool operator==(const LessonEdit&) const = default;
};

/// Something that holds of a scenario or not.
struct LessonCondition {
    enum class Subject : std::uint8_t { Figure, Parameter, Model, Accelerator };
    enum class Relation : std::uint8_t { AtLeast, AtMost, Equal };
    Subject subject = Subject::Figure;
    std::string name; ///< figure id (lesson_figure.hpp), parameter id or catalogue id
    Relation relation = Relation::AtLeast;
    double value = 0;
    bool timesEntry = false; ///< figures: `value` is a factor on what it was when the step began
    bool operator==(const LessonCondition&) const = default;
};

/// One answer to choose.
struct LessonChoice {
    std::string text;
    bool right = false;                ///< right whatever happens
    std::vector<LessonCondition> when; ///< else: right when all of these hold at the end of the step
    std::string reason;                ///< why it is wrong, where it is; empty for the one that solves the step
    bool operator==(const LessonChoice&) const = default;
};

/// A question put before the learner moves: choices, or a number to guess.
struct LessonQuestion {
    std::string text;
    std::vector<LessonChoice> choices; ///< empty: a number
    std::string figure;                ///< of a number: what it is compared with at the end of the step
    double within = 2;                 ///< of a number: right when it is off by no more than this factor
    std::string unit;                  ///< of a time: "s" or "ms", what it asks for; empty: as the figure is written
    bool operator==(const LessonQuestion&) const = default;
};

/// A control, a tile or a chart to look at.
struct LessonHighlight {
    enum class Kind : std::uint8_t { Parameter, Metric, Chart, Model, Accelerator };
    Kind kind = Kind::Parameter;
    std::string id; ///< empty for the two pickers
    bool operator==(const LessonHighlight&) const = default;
};

/// What solves a step; tests play it.
struct LessonSolution {
    std::optional<double> answer; ///< index of the choice, or the number
    std::vector<LessonEdit> edits;
    bool operator==(const LessonSolution&) const = default;
};

/// Texts carry placeholders (lesson_text.hpp) instead of numbers; **bold** and [words](glossary:id) are marked up.
struct LessonStep {
    std::string title, text;
    std::optional<Scenario> scenario; ///< what the step begins with; empty: as it stands
    std::vector<LessonEdit> sets;     ///< changes that the step begins with
    std::vector<LessonHighlight> highlights;
    std::optional<LessonQuestion> question;
    std::string task;                   ///< what to do, one sentence; empty: nothing but to read
    std::vector<LessonCondition> until; ///< the step is done when all hold
    std::vector<std::string> hints;
    std::string explanation; ///< shown once the step is done
    LessonSolution solution; ///< what a learner who understood would do
    bool operator==(const LessonStep&) const = default;
};

/// A figure that somebody published: the only numbers a lesson may state without computing them.
struct PublishedFigure {
    std::string id, text, source;
    bool operator==(const PublishedFigure&) const = default;
};

/// The whole lesson as its file holds it.
struct Lesson {
    std::string id, title, goal;
    std::vector<std::string> sources;
    std::vector<PublishedFigure> published;
    Scenario start;
    std::vector<LessonStep> steps; ///< at least one
    std::string own;               ///< what to look for on the learner's own scenario
    bool operator==(const Lesson&) const = default;
};

} // namespace headroom
