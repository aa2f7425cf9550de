// SPDX-License-Identifier: GPL-3.0-or-later
// Currency: what money is shown in. Nothing is ever converted.
#pragma once

#include <string>
#include <string_view>

namespace headroom
{

inline constexpr std::string_view usDollars = "USD"; ///< what the catalogue's prices are in

/// Whether it is three capital letters, as ISO 4217 has them.
[[nodiscard]] bool isCurrency(std::string_view code);

/// How money is printed in this process from now on: that of the own price list; US dollars until it is called. A
/// matter of display, as the unit of memory is: values and files stay numbers. Precondition: isCurrency().
void showMoneyIn(std::string_view code);
/// "USD"
[[nodiscard]] std::string currencyCode();

/// "US dollars", else the code.
[[nodiscard]] std::string currencyName(std::string_view code);
[[nodiscard]] std::string currencyName(); ///< of the one in force
/// "$", else the code: for an axis.
[[nodiscard]] std::string currencySign();

} // namespace headroom
