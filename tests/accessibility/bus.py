# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of this folder stand on: a display, a session bus, and the program read as a screen reader does.

Importing it brings both up and runs the importing file again between them: TEST.py PROGRAM [UNITTEST_OPTION...].
Exit status 77: this machine lacks what is needed; which, is printed.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

SKIPPED = 77
PATIENCE_S = 20  # for what takes a fraction of a second on an idle machine


def skip(reason):
    print(f"skipped: {reason} (packaging/setup --tests installs it)")
    sys.exit(SKIPPED)


def outer():
    """Brings up a display and a session bus, and runs this file again between them."""
    for tool in ("Xvfb", "dbus-run-session"):
        if not shutil.which(tool):
            skip(f"there is no {tool}")
    if not os.path.exists("/usr/share/dbus-1/services/org.a11y.Bus.service"):
        skip("there is no at-spi2-core")
    read, write = os.pipe()
    with tempfile.TemporaryDirectory() as home:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x900x24", "-nolisten", "tcp"],
            pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        try:
            with os.fdopen(read) as pipe:
                number = pipe.readline().strip()
            if not number:
                skip("Xvfb does not start")
            runtime = os.path.join(home, "runtime")
            os.mkdir(runtime, 0o700)
            environment = dict(os.environ, DISPLAY=":" + number, HOME=home, XDG_RUNTIME_DIR=runtime,
                               XDG_CONFIG_HOME=home, XDG_DATA_HOME=home, QT_QPA_PLATFORM="xcb",
                               QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1", LC_ALL="C.UTF-8", HEADROOM_ATSPI_INNER="1")
            for name in ("WAYLAND_DISPLAY", "QT_SCALE_FACTOR", "AT_SPI_BUS_ADDRESS", "DBUS_SESSION_BUS_ADDRESS"):
                environment.pop(name, None)
            return subprocess.call(["dbus-run-session", "--", sys.executable, *sys.argv], env=environment)
        finally:
            server.terminate()
            server.wait()


if "HEADROOM_ATSPI_INNER" not in os.environ:
    try:
        import gi
        gi.require_version("Atspi", "2.0")
    except (ImportError, ValueError):
        # A python3 of one's own before Debian's does not see Debian's modules.
        if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
            os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
        skip("there is no python3-gi with gir1.2-atspi-2.0")
    sys.exit(outer())

import gi  # noqa: E402

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

PROGRAM = sys.argv.pop(1)
KEYS = {"Space": 0x20, "Tab": 0xFF09, "Return": 0xFF0D, "Escape": 0xFF1B, "Left": 0xFF51, "Up": 0xFF52, "Right": 0xFF53, "Down": 0xFF54,
        "F1": 0xFFBE, "F5": 0xFFC2, "F6": 0xFFC3, "Delete": 0xFFFF}
MODIFIERS = {"Shift": Atspi.ModifierType.SHIFT, "Ctrl": Atspi.ModifierType.CONTROL, "Alt": Atspi.ModifierType.ALT}


def spin(until, patience=PATIENCE_S):
    """Runs the event loop until `until()` gives something true, and returns that; None when it never does."""
    end = time.monotonic() + patience
    context = GLib.MainContext.default()
    while True:
        found = until()
        if found or time.monotonic() > end:
            return found
        context.iteration(False) or time.sleep(0.01)


class Node:
    """One object of the tree; what has gone meanwhile reads as empty."""

    def __init__(self, accessible):
        self.accessible = accessible

    def _ask(self, question, default):
        if self.accessible is None:
            return default
        try:
            return question(self.accessible)
        except GLib.GError:
            return default

    role = property(lambda self: self._ask(lambda a: a.get_role_name(), ""))
    pid = property(lambda self: self._ask(lambda a: a.get_process_id(), 0))
    name = property(lambda self: self._ask(lambda a: a.get_name(), "") or "")
    description = property(lambda self: self._ask(lambda a: a.get_description(), "") or "")

    def has(self, state):
        return self._ask(lambda a: a.get_state_set().contains(state), False)

    @property
    def showing(self):
        return self.has(Atspi.StateType.SHOWING)

    @property
    def value(self):
        return self._ask(Atspi.Value.get_current_value, None)

    @property
    def bounds(self):
        return self._ask(Atspi.Value.get_minimum_value, 0), self._ask(Atspi.Value.get_maximum_value, 0)

    @property
    def labels(self):
        """The names of what labels it."""
        relations = self._ask(lambda a: a.get_relation_set(), [])
        return [Node(r.get_target(i)).name for r in relations
                if r.get_relation_type() == Atspi.RelationType.LABELLED_BY for i in range(r.get_n_targets())]

    @property
    def text(self):
        return self._ask(lambda a: Atspi.Text.get_text(a, 0, Atspi.Text.get_character_count(a)), "") or ""

    @property
    def children(self):
        count = self._ask(lambda a: a.get_child_count(), 0)
        found = [self._ask(lambda a, i=i: a.get_child_at_index(i), None) for i in range(count)]
        return [Node(child) for child in found if child]

    def press(self):
        """Its own first action: press, toggle or choose."""
        return self._ask(lambda a: Atspi.Action.do_action(a, 0), False)

    def focus(self):
        self._ask(Atspi.Component.grab_focus, None)
        return spin(lambda: self.has(Atspi.StateType.FOCUSED))

    def walk(self):
        """What shows, without the cells of tables: there are thousands."""
        if not self.showing:
            return
        yield self
        if self.role not in ("table", "tree table", "list"):
            for child in self.children:
                yield from child.walk()


class Reader:
    """What a screen reader hears and does."""

    def __init__(self, *arguments):
        self.heard = []
        self.focused = Node(None)  # what was last said to have the keyboard
        self.listener = Atspi.EventListener.new(self._hear)
        for kind in ("property-change:accessible-value", "property-change:accessible-name",
                     "property-change:accessible-description", "state-changed:focused", "state-changed:showing"):
            self.listener.register("object:" + kind)
        self.home = tempfile.TemporaryDirectory()  # of its own: nothing is set, nothing kept
        self.program = subprocess.Popen([PROGRAM, *arguments], stderr=subprocess.DEVNULL, env=dict(
            os.environ, HOME=self.home.name, XDG_CONFIG_HOME=self.home.name, XDG_DATA_HOME=self.home.name))
        self.application = spin(self._find, 60)
        self.window = spin(lambda: next((c for c in self.application.children if c.showing), None), 60)

    def close(self):
        self.program.terminate()
        self.program.wait()
        self.home.cleanup()
        for kind in ("property-change", "state-changed:focused", "state-changed:showing"):
            self.listener.deregister("object:" + kind)

    def _hear(self, event):
        node = Node(event.source)
        if "showing" in event.type:
            # A reader speaks the labels of a notification that comes to show, and what they say in that moment.
            if event.detail1 and node.role == "notification":
                self.heard += [("notification", label) for label in node.children if label.showing]
        elif "focused" not in event.type:
            self.heard.append((event.type.rsplit(":", 1)[-1], node))
        elif event.detail1:
            self.focused = node

    def _find(self):
        desktop = Node(Atspi.get_desktop(0))
        return next((c for c in desktop.children if c.name.lower() == "headroom" and c.pid == self.program.pid), None)

    def activate(self):
        """There is no window manager: the window is to have the keyboard."""
        Atspi.Component.grab_focus(self.window.accessible)
        if not spin(lambda: self.window.has(Atspi.StateType.ACTIVE), 2):
            Atspi.generate_mouse_event(5, 5, "b1c")
            spin(lambda: self.window.has(Atspi.StateType.ACTIVE))

    def opens(self, begins):
        """Waits for a window whose name begins so; it is what `all` and `find` look through from then on."""
        def look():
            self.application.accessible.clear_cache()
            return next((c for c in self.application.children if c.name.startswith(begins) and c.showing), None)
        found = spin(look)
        if found:
            self.window = found
            if not spin(lambda: found.has(Atspi.StateType.ACTIVE), 2):
                self.activate()
        return found

    def all(self, role=None):
        self.application.accessible.clear_cache()
        return [n for n in self.window.walk() if role is None or n.role == role]

    def find(self, role, is_it):
        """The first object of that role (any, if None) of which `is_it` holds, or whose name begins so; waits for it."""
        fits = is_it if callable(is_it) else lambda n: n.name.startswith(is_it)

        def look():
            self.application.accessible.clear_cache()
            return next((n for n in self.window.walk() if (role is None or n.role == role) and fits(n)), None)
        return spin(look)

    def find_now(self, role, is_it):
        """The same without waiting."""
        fits = is_it if callable(is_it) else lambda n: n.name.startswith(is_it)
        return next((n for n in self.all(role) if fits(n)), None)

    def find_item(self, of, begins):
        """An entry of the list of that name."""
        return spin(lambda: next((n for n in self.find("list", of).children if n.name.startswith(begins)), None))

    def key(self, name):
        """A key, with those held meanwhile before it: "Right", "Ctrl+6"."""
        *held, symbol = name.split("+")
        mask = sum(1 << MODIFIERS[each] for each in held)
        self.heard.clear()
        if mask:
            Atspi.generate_keyboard_event(mask, None, Atspi.KeySynthType.LOCKMODIFIERS)
        Atspi.generate_keyboard_event(KEYS.get(symbol) or ord(symbol), None, Atspi.KeySynthType.SYM)
        if mask:
            Atspi.generate_keyboard_event(mask, None, Atspi.KeySynthType.UNLOCKMODIFIERS)

    def hears(self, kind, says):
        """Waits for a change of that kind of which `says(node)` holds."""
        return spin(lambda: any(k == kind and says(n) for k, n in list(self.heard)))

    def lands(self, role, begins):
        """Waits until the keyboard is said to be on an object of that role whose name begins so, and gives it.

        It is the event that counts, as it does for a screen reader: Qt has a tab in front hold the state FOCUSED, too.
        """
        return spin(lambda: self.focused if (self.focused.role, self.focused.name[:len(begins)]) == (role, begins)
                    and self.focused.has(Atspi.StateType.FOCUSED) else None)

    def tab_to(self, role, begins, key="Tab", most=60):
        """Presses `key` until the keyboard is said to be there; None where that many do not lead there."""
        for _ in range(most):
            before = self.focused
            if (before.role, before.name[:len(begins)]) == (role, begins):
                return before
            self.key(key)
            spin(lambda: self.focused is not before, 2)
        return None
