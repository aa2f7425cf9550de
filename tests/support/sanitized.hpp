// SPDX-License-Identifier: GPL-3.0-or-later
// What a test must know of the sanitizers it was built with: what they forbid, and how much slower they make it.
#pragma once

#ifndef __has_feature // clang's way to say it; g++ defines __SANITIZE_…__
#define __has_feature(feature) 0
#endif

namespace headroom::test
{

// HEADROOM_UNDER_SANITIZER tells the preprocessor that new and delete are a sanitizer's.
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define HEADROOM_UNDER_SANITIZER
inline constexpr bool underAddressSanitizer = true;
#else
inline constexpr bool underAddressSanitizer = false;
#endif

#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define HEADROOM_UNDER_SANITIZER
inline constexpr bool underThreadSanitizer = true;
#else
inline constexpr bool underThreadSanitizer = false;
#endif

inline constexpr bool underSanitizer = underAddressSanitizer || underThreadSanitizer;

/// A bound on wall time is stated for a build as it is used; where sanitizers watch each access it is multiplied by
/// this.
inline constexpr int timesSlower = underSanitizer ? 20 : 1;

/// A walk over many like cases (draws, or languages by type by screens) takes one in so many under sanitizers. The
/// build without them takes all.
inline constexpr int everyNth = timesSlower > 1 ? 5 : 1;

} // namespace headroom::test
