// SPDX-License-Identifier: GPL-3.0-or-later
// The functions under their names. Which of them are there twice, and how one is picked, is as in the GNU C library of
// Debian 12 (sysdeps/x86_64/fpu/multiarch): a result then has the same digits as on Linux on the same machine.

#define TWICE(name)                                                                      \
    double headroom_##name##_plain(double), headroom_##name##_fma(double);               \
    double name(double x) { return hasFma() ? headroom_##name##_fma(x) : headroom_##name##_plain(x); }
#define ONCE(name)                                                                       \
    double headroom_##name##_plain(double);                                              \
    double name(double x) { return headroom_##name##_plain(x); }

static int known; // 0: not asked yet; threads that ask at once find the same

static int hasFma(void)
{
    if (known == 0) {
        __builtin_cpu_init();
        known = __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2") ? 1 : -1;
    }
    return known > 0;
}

TWICE(exp)
TWICE(log)
TWICE(log2)
TWICE(expm1)
TWICE(log1p)
ONCE(exp2)
ONCE(log10)
ONCE(erf)
ONCE(erfc)

double headroom_pow_plain(double, double), headroom_pow_fma(double, double);
double pow(double x, double y)
{
    return hasFma() ? headroom_pow_fma(x, y) : headroom_pow_plain(x, y);
}
