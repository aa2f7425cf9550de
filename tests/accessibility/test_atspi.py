#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window as a screen reader meets it: names, roles, values and announcements of its panels and pages."""
import unittest

from bus import Atspi, Reader, spin


class TestAtSpi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.reader = Reader("--page", "dashboard")
        if cls.reader.application and cls.reader.window:
            cls.reader.find("chart", "")
            cls.reader.activate()

    @classmethod
    def tearDownClass(cls):
        cls.reader.close()

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
            self.assertNotIn("slider", slider.name, "a reader says the role besides")
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
        tiles = [n for n in reader.all("radio button") if n.description]  # a choice has none
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
