#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window as a screen reader meets it: the real program on the real accessibility bus, under Xvfb.

Usage: test_atspi.py PROGRAM [UNITTEST_OPTION...]. Exit status 77: this machine lacks what is needed; which, is printed.
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
KEYS = {"Right": 0xFF53, "Escape": 0xFF1B, "F1": 0xFFBE, "F6": 0xFFC3}


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
        try:
            return question(self.accessible)
        except GLib.GError:
            return default

    role = property(lambda self: self._ask(lambda a: a.get_role_name(), ""))
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

    def __init__(self):
        self.heard = []
        self.listener = Atspi.EventListener.new(self._hear)
        for kind in ("accessible-value", "accessible-name", "accessible-description"):
            self.listener.register("object:property-change:" + kind)
        self.program = subprocess.Popen([PROGRAM, "--page", "dashboard"], stderr=subprocess.DEVNULL)
        self.application = spin(self._find, 60)
        self.window = spin(lambda: next((c for c in self.application.children if c.showing), None), 60)

    def _hear(self, event):
        self.heard.append((event.type.rsplit(":", 1)[-1], Node(event.source)))

    def _find(self):
        desktop = Node(Atspi.get_desktop(0))
        return next((c for c in desktop.children if c.name.lower() == "headroom"), None)

    def activate(self):
        """There is no window manager: the window is to have the keyboard."""
        Atspi.Component.grab_focus(self.window.accessible)
        if not spin(lambda: self.window.has(Atspi.StateType.ACTIVE), 2):
            Atspi.generate_mouse_event(5, 5, "b1c")
            spin(lambda: self.window.has(Atspi.StateType.ACTIVE))

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

    def key(self, name):
        self.heard.clear()
        symbol = KEYS.get(name) or ord(name)
        Atspi.generate_keyboard_event(symbol, None, Atspi.KeySynthType.SYM)

    def hears(self, kind, says):
        """Waits for a change of that kind of which `says(node)` holds."""
        return spin(lambda: any(k == kind and says(n) for k, n in list(self.heard)))


class TestAtSpi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.reader = Reader()
        if cls.reader.application and cls.reader.window:
            cls.reader.find("chart", "")
            cls.reader.activate()

    @classmethod
    def tearDownClass(cls):
        cls.reader.program.terminate()
        cls.reader.program.wait()

    def setUp(self):
        self.assertTrue(self.reader.window, "the program does not appear on the accessibility bus")

    def show_page(self, title):
        tab = self.reader.find("page tab", title)
        self.assertTrue(tab, f"there is no tab {title}")
        tab.press()
        tabs = self.reader.find("page tab list", "")
        self.assertTrue(spin(lambda: tabs.name == title), f"{title} does not come to the front")  # Qt names the list so

    def test_1_window_and_names(self):
        reader = self.reader
        self.assertIn("Headroom", reader.window.name)
        nodes = reader.all()
        self.assertGreater(len(nodes), 100)
        nameless = [n.role for n in nodes if n.has(Atspi.StateType.FOCUSABLE) and not n.name.strip()]
        self.assertEqual(nameless, [])
        marked_up = [(n.role, n.name, n.description) for n in nodes if "<p>" in n.name + n.description]
        self.assertEqual(marked_up, [], "tags are no words")

    def test_2_pickers(self):
        for begins in ("Model: ", "Accelerator: "):
            picker = self.reader.find("push button", begins)
            self.assertTrue(picker, begins)
            self.assertGreater(len(picker.name), len(begins))
            self.assertTrue(picker.description, "its facts")

    def test_3_row(self):
        reader = self.reader
        sliders = reader.all("slider")
        self.assertGreater(len(sliders), 5)
        for slider in sliders:
            low, high = slider.bounds
            self.assertTrue(low <= slider.value <= high, slider.name)
            self.assertTrue(slider.description, slider.name)
        slider = reader.find("slider", "Micro-batch in sequences")
        before = slider.value
        self.assertEqual(f"{before:g} sequences", slider.description.replace("\u202f", " "))
        self.assertTrue(slider.focus())
        reader.key("Right")
        self.assertTrue(reader.hears("accessible-value", lambda n: n.name == slider.name), "the change is not announced")
        self.assertEqual(slider.value, 2 * before)  # the next mark
        box = reader.find("text", "Micro-batch in sequences")
        self.assertTrue(spin(lambda: box.text.startswith(f"{2 * before:g}")), box.text)
        # An assistive technology may set it, too.
        Atspi.Value.set_current_value(slider.accessible, before)
        self.assertTrue(spin(lambda: slider.value == before), slider.value)

    def test_4_tiles(self):
        reader = self.reader
        tiles = [n for n in reader.all("radio button") if ": " in n.name]
        self.assertGreater(len(tiles), 4)
        for tile in tiles:
            self.assertRegex(tile.name, r"^.+, (predicted|observed|calibrated): \S.*", tile.name)
        used = reader.find("radio button", "Memory used per GPU")
        self.assertRegex(used.name, r"\d\s[KMGT]?B$")
        slider = reader.find("slider", "Micro-batch in sequences")
        self.assertTrue(slider.focus())
        reader.key("Right")
        self.assertTrue(reader.hears("accessible-name", lambda n: n.name.startswith("Memory used per GPU")))

    def test_5_charts(self):
        reader = self.reader
        charts = reader.all("chart")
        self.assertEqual(len(charts), 6)
        for chart in charts:
            self.assertGreater(len(chart.description), 20, chart.name)
        chart = charts[0]
        sentence = chart.description
        self.assertTrue(chart.focus())
        reader.key("Right")
        self.assertTrue(reader.hears("accessible-description", lambda n: n.name == chart.name),
                        "the cursor's point is not announced")
        self.assertTrue(chart.description.endswith(sentence), chart.description)
        first = chart.description
        self.assertGreater(len(first), len(sentence))
        reader.key("Right")
        self.assertTrue(spin(lambda: chart.description != first), "the cursor does not move")

    def test_6_pages(self):
        titles = [tab.name for tab in self.reader.all("page tab")]
        self.assertGreater(len(titles), 5)
        for title in titles:
            self.show_page(title)
            named = self.reader.find(None, lambda n: n.role not in ("page tab", "page tab list") and n.name and
                                     n.has(Atspi.StateType.FOCUSABLE))
            self.assertTrue(named, f"{title} holds nothing to reach")
        self.show_page(titles[0])

    def test_7_help(self):
        reader = self.reader
        chart = reader.find("chart", "")
        self.assertTrue(chart.focus())
        reader.key("F1")
        text = reader.find(None, "Help: Charts")
        self.assertTrue(text, "F1 on a chart does not open its help")
        self.assertTrue(spin(lambda: "solid line" in text.text), text.text[:80])
        reader.key("F1")
        self.assertTrue(spin(lambda: chart.has(Atspi.StateType.FOCUSED)), "F1 does not lead back")

    def test_8_lesson(self):
        reader = self.reader
        self.show_page("Learn")
        start = reader.find("push button", lambda n: "What MFU is" in n.name)
        self.assertTrue(start, "the first lesson cannot be started")
        reader.heard.clear()
        start.press()
        self.assertTrue(reader.hears("accessible-description", lambda n: "MFU" in n.description and len(n.description) > 60),
                        "the first step is not announced")
        self.assertTrue(reader.find(None, lambda n: "arithmetic unit" in n.name and n.has(Atspi.StateType.FOCUSABLE)),
                        "the choices have no names")
        reader.key("2")
        self.assertTrue(reader.hears("accessible-description", lambda n: "useful arithmetic" in n.description),
                        "the verdict and its reason are not announced")
        following = reader.find("push button", "Next")
        self.assertTrue(following)
        reader.heard.clear()
        following.press()
        self.assertTrue(reader.hears("accessible-description", lambda n: "How long" in n.description),
                        "the next step is not announced")


if __name__ == "__main__":
    unittest.main(verbosity=2, failfast=True)
