// SPDX-License-Identifier: GPL-3.0-or-later
// What the mathematical functions of the GNU C library expect of the rest of it, for a compiler for Windows. Included
// before each of their files (packaging/mingw/libraries); VARIANT ends their names, which dispatch.c gives back.
#pragma once

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define attribute_hidden
#define __glibc_unlikely(condition) __builtin_expect((condition), 0)
#define __glibc_likely(condition) __builtin_expect((condition), 1)
#define HIGH_ORDER_BIT_IS_SET_FOR_SNAN 0
#define FIX_INT_FP_CONVERT_ZERO 0
#define LIBM_SVID_COMPAT 0
#define SECTION
#define __set_errno(value) (errno = (value))
#define DIAG_PUSH_NEEDS_COMMENT
#define DIAG_POP_NEEDS_COMMENT
#define DIAG_IGNORE_NEEDS_COMMENT(version, warning)
#define DIAG_IGNORE_Os_NEEDS_COMMENT(version, warning)

// SSE computes in double: nothing is wider than it looks.
#define math_narrow_eval(value) (value)
#define math_opt_barrier(value) (value)
#define math_force_eval(value)      \
    do {                            \
        volatile double forced = (value); \
        (void)forced;               \
    } while (0)
#define math_check_force_underflow(value) ((void)0)        // about a flag that nobody here reads
#define math_check_force_underflow_nonneg(value) ((void)0) // likewise

// No other names for a function: dispatch.c names each once.
#define hidden_def(name)
#define strong_alias(name, other)
#define libm_alias_finite(name, other)
#define libm_alias_double(name, other)
#define libm_alias_double_other(name, other)

// The halves of a double.
#define EXTRACT_WORDS64(bits, value)            \
    do {                                        \
        double whole = (value);                 \
        int64_t all;                            \
        memcpy(&all, &whole, sizeof all);       \
        (bits) = all;                           \
    } while (0)
#define INSERT_WORDS64(value, bits)             \
    do {                                        \
        int64_t all = (bits);                   \
        double whole;                           \
        memcpy(&whole, &all, sizeof whole);     \
        (value) = whole;                        \
    } while (0)
#define EXTRACT_WORDS(high, low, value)         \
    do {                                        \
        uint64_t halves;                        \
        EXTRACT_WORDS64(halves, value);         \
        (high) = (int32_t)(halves >> 32);       \
        (low) = (uint32_t)halves;               \
    } while (0)
#define GET_HIGH_WORD(high, value)              \
    do {                                        \
        uint64_t halves;                        \
        EXTRACT_WORDS64(halves, value);         \
        (high) = (int32_t)(halves >> 32);       \
    } while (0)
#define GET_LOW_WORD(low, value)                \
    do {                                        \
        uint64_t halves;                        \
        EXTRACT_WORDS64(halves, value);         \
        (low) = (uint32_t)halves;               \
    } while (0)
#define SET_HIGH_WORD(value, high)              \
    do {                                        \
        uint64_t halves;                        \
        EXTRACT_WORDS64(halves, value);         \
        INSERT_WORDS64(value, (int64_t)((halves & 0xffffffffU) | (uint64_t)(uint32_t)(high) << 32)); \
    } while (0)
#define SET_LOW_WORD(value, low)                \
    do {                                        \
        uint64_t halves;                        \
        EXTRACT_WORDS64(halves, value);         \
        INSERT_WORDS64(value, (int64_t)((halves & ~(uint64_t)0xffffffffU) | (uint32_t)(low))); \
    } while (0)

#define JOIN(name, variant) name##_##variant
#define NAMED(name, variant) JOIN(name, variant)
#define __exp NAMED(headroom_exp, VARIANT)
#define __exp2 NAMED(headroom_exp2, VARIANT)
#define __log NAMED(headroom_log, VARIANT)
#define __log2 NAMED(headroom_log2, VARIANT)
#define __pow NAMED(headroom_pow, VARIANT)
#define __expm1 NAMED(headroom_expm1, VARIANT)
#define __log1p NAMED(headroom_log1p, VARIANT)
#define __ieee754_log10 NAMED(headroom_log10, VARIANT)
#define __erf NAMED(headroom_erf, VARIANT)
#define __erfc NAMED(headroom_erfc, VARIANT)
// Those call the functions that a program gets, whichever variant that is.
#define __ieee754_exp exp
#define __ieee754_log log
double __exp(double), __exp2(double), __log(double), __log2(double), __pow(double, double), __expm1(double),
    __log1p(double), __ieee754_log10(double), __erf(double), __erfc(double);
