// SPDX-License-Identifier: GPL-3.0-or-later
// What each thread has for itself and takes down when it ends.
#pragma once

#ifdef __MINGW32__
#include <cstdlib>
#include <pthread.h>
#endif

namespace headroom
{

/// The one T of this thread: made when it is first asked for, gone with its thread. Not `thread_local`: mingw-w64 frees
/// what that names before it is destroyed (GCC bug 80816), and the program crashes when the thread ends.
template <typename T>
[[nodiscard]] T& ofThisThread()
{
#ifdef __MINGW32__
    static const pthread_key_t key = [] {
        pthread_key_t made{};
        if (pthread_key_create(&made, [](void* value) { delete static_cast<T*>(value); }) != 0)
            std::abort(); // of 1048576 keys (PTHREAD_KEYS_MAX) a program takes one for each T
        return made;
    }();
    void* value = pthread_getspecific(key);
    if (value == nullptr) {
        value = new T;
        pthread_setspecific(key, value);
    }
    return *static_cast<T*>(value);
#else
    static thread_local T value;
    return value;
#endif
}

} // namespace headroom
