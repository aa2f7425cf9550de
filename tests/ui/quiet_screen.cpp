// SPDX-License-Identifier: GPL-3.0-or-later
// The platform without a screen says "This plugin does not support …" of each window with a least size, of each that is
// raised or has a mask and of each grab: hundreds of lines that nobody can act on. Qt Test replaces every message
// handler, so they are not caught but not said: the plugin looks these functions up and finds them in the program
// before Qt's. They do what Qt's do, nothing. Platforms with a screen have their own; where Qt knows no such function,
// nothing calls these.
extern "C" {

void _ZN15QPlatformWindow18propagateSizeHintsEv(void*);
void _ZN15QPlatformWindow5raiseEv(void*);
void _ZN15QPlatformWindow5lowerEv(void*);
void _ZN15QPlatformWindow7setMaskERK7QRegion(void*, const void*);
bool _ZN15QPlatformWindow22setKeyboardGrabEnabledEb(void*, bool);
bool _ZN15QPlatformWindow19setMouseGrabEnabledEb(void*, bool);

void _ZN15QPlatformWindow18propagateSizeHintsEv(void*) {}
void _ZN15QPlatformWindow5raiseEv(void*) {}
void _ZN15QPlatformWindow5lowerEv(void*) {}
void _ZN15QPlatformWindow7setMaskERK7QRegion(void*, const void*) {}
bool _ZN15QPlatformWindow22setKeyboardGrabEnabledEb(void*, bool)
{
    return false;
}
bool _ZN15QPlatformWindow19setMouseGrabEnabledEb(void*, bool)
{
    return false;
}
}
