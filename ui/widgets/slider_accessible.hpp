// SPDX-License-Identifier: GPL-3.0-or-later
// What assistive technology is told of a LogSlider: the value itself, not where the handle stands.
#pragma once

namespace headroom::ui
{

/// Once for the program; later calls do nothing.
void installSliderAccessibility();

} // namespace headroom::ui
