// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fit/user_fit.hpp"
#include "core/support/json_text.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <fmt/format.h>

namespace headroom
{

std::string efficiencyJson(const Efficiency& efficiency, const FittedOn& fittedOn)
{
    const std::pair<const char*, double> multipliers[] = {{"matmul", efficiency.matmul},
                                                          {"attention", efficiency.attention},
                                                          {"memory_bandwidth", efficiency.memoryBandwidth},
                                                          {"scale_up", efficiency.scaleUp},
                                                          {"scale_out", efficiency.scaleOut},
                                                          {"host", efficiency.host},
                                                          {"prefill", efficiency.prefill},
                                                          {"decode", efficiency.decode}};
    std::string text;
    for (const auto& [key, value] : multipliers)
        if (value != 1)
            text += fmt::format("{}\"{}\": {}", text.empty() ? "" : ", ", key, exactNumber(value));
    std::string on;
    for (const auto& [task, names] :
         {std::pair("training", &fittedOn.training), std::pair("inference", &fittedOn.inference)})
        if (!names->empty()) {
            std::string list;
            for (const std::string& name : *names)
                list += (list.empty() ? "" : ", ") + jsonString(name);
            on += fmt::format("{}\"{}\": [{}]", on.empty() ? "" : ", ", task, list);
        }
    if (!on.empty() && !text.empty())
        text += ", \"fitted_on\": {" + on + "}";
    return "{" + text + "}";
}

std::string userFitText(const UserFit& fit)
{
    constexpr double met = 0.01; // a run repeats itself no nearer
    std::string text;
    for (const FittedShift& shift : fit.shifts)
        text += fmt::format("{}{} ×{}", text.empty() ? "" : ", ", say(shift.name),
                            withLocalMark(fmt::format("{:.3g}", shift.factor)));
    const std::string before = formatText(fit.errorBefore, ValueFormat::Percent),
                      after = formatText(fit.errorAfter, ValueFormat::Percent);
    if (fit.runs == 1 && fit.errorAfter < met) // met whatever it was: that its error is gone says nothing
        text = say("{} meets the one run, from which the built-in calibration is {} off", text, before);
    else if (fit.runs == 1)
        text = say("{} from one run: error {} before, {} after", text, before, after);
    else
        text = say("{} from {} runs: median error {} before, {} after", text, fit.runs, before, after);
    if (fit.leftOut == 1)
        text = say("{}; one run left out, faster than the speed of light", text);
    if (fit.leftOut > 1)
        text = say("{}; {} runs left out, faster than the speed of light", text, fit.leftOut);
    for (const std::string& note : fit.notes)
        text += "; " + note;
    return text;
}

} // namespace headroom
