#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What opens beside and over the dashboard, reached by keys alone and read as a screen reader does."""
import pathlib
import re
import unittest

from bus import Atspi, Reader, spin

LESSONS = len(list(pathlib.Path(__file__).parents[2].glob("resources/lessons/*.json")))

def words(text):
    """With plain spaces: figures hold narrow ones that do not break."""
    return re.sub(r"\s", " ", text)


class ByKeys(unittest.TestCase):
    """A program of its own for each test: what one leaves behind is not what the next begins with."""
    ARGUMENTS = ("--page", "dashboard")

    def setUp(self):
        self.reader = Reader(*self.ARGUMENTS)
        self.addCleanup(self.reader.close)
        self.assertTrue(self.reader.application and self.reader.window, "the program is not on the accessibility bus")
        self.ready()
        self.reader.activate()

    def ready(self):
        self.assertTrue(self.reader.find("chart", ""))

    def press(self, key, role, begins):
        """A key that brings the keyboard to an object of that role whose name begins so."""
        self.reader.key(key)
        return self.landed(role, begins)

    def landed(self, role, begins):
        found = self.reader.lands(role, begins)
        now = self.reader.focused
        self.assertTrue(found, f"the keyboard is on {now.role} “{now.name}”, not on {role} “{begins}…”")
        return found

    def tab_to(self, role, begins, key="Tab"):
        found = self.reader.tab_to(role, begins, key)
        self.assertTrue(found, f"{key} does not lead to {role} “{begins}…”")
        return found

    def tells(self, begins, kind="accessible-description"):
        """Something says what begins so."""
        heard = lambda node: words(node.description if kind == "accessible-description" else node.name)
        self.assertTrue(self.reader.hears(kind, lambda node: heard(node).startswith(begins)),
                        f"“{begins}…” is not heard, but {[n.description for _, n in self.reader.heard][-3:]}")

    def says(self, begins, kind="accessible-description"):
        """The same of what has the keyboard."""
        self.tells(begins, kind)
        said = self.reader.focused.description if kind == "accessible-description" else self.reader.focused.name
        self.assertTrue(words(said).startswith(begins), f"{self.reader.focused.name} does not say “{begins}…” but “{said}”")

    def named(self):
        """Everything in front that takes the keyboard has a name, and a box of choices a label: Qt names it as its choice."""
        nodes = self.reader.all()
        self.assertEqual([n.role for n in nodes if n.has(Atspi.StateType.FOCUSABLE) and not n.name.strip()], [])
        self.assertEqual([n.name for n in nodes if n.role == "combo box" and not any(n.labels)], [])
        return nodes


class TestDoors(ByKeys):
    """The first start: nothing is configured, no page or file is asked for."""
    ARGUMENTS = ()

    def ready(self):
        self.assertTrue(self.reader.find("dialog", "Welcome"), "a first start offers no doors")

    def test_each_says_where_it_leads(self):
        card = self.reader.find("dialog", "Welcome")
        self.assertTrue(card.description.startswith("How much of your GPUs do you use? "), card.description)
        self.assertIn(f"{LESSONS} short lessons", self.landed("push button", "Learn").description)
        self.assertIn("smallest deployment", self.press("Tab", "push button", "Plan").description)
        self.assertIn("Move any slider", self.press("Tab", "push button", "Explore").description)
        self.press("Shift+Tab", "push button", "Plan")
        self.press("Return", "page tab list", "Plan")
        self.assertFalse(card.showing)

    def test_learn_leads_to_the_first_lesson(self):
        self.landed("push button", "Learn")
        self.press("Return", "page tab list", "Learn")
        self.press("Tab", "push button", "Start: What MFU is")

    def test_escape_explores(self):
        self.landed("push button", "Learn")
        self.press("Escape", "page tab list", "Dashboard")


class TestLesson(ByKeys):
    def test_first_lesson_from_its_list_to_its_end(self):
        reader = self.reader
        self.press("Ctrl+6", "page tab list", "Learn")
        marks = [n.name for n in reader.all("label") if re.fullmatch(r"Lesson \d+", n.name)]
        self.assertEqual(len(marks), LESSONS)
        start = self.press("Tab", "push button", "Start: What MFU is")
        self.assertIn("0.80", start.description)
        self.named()

        self.press("Return", "panel", "Lesson 1 · step 1 of ")
        steps = int(re.search(r"of (\d+)", reader.focused.name)[1])
        self.says("A share of what the machine could do. Eight MI300X")
        answers = [n.name for n in reader.all("push button") if n.name.startswith("Answer ")]
        self.assertEqual([name[:9] for name in answers], [f"Answer {i}:" for i in range(1, len(answers) + 1)])
        self.assertGreater(len(answers), 1)
        reader.key("1")
        self.says("Not so: it is answer 2.")
        self.named()
        self.assertTrue(reader.find("push button", lambda n: n.name.endswith(", right")))
        self.assertTrue(reader.find("push button", lambda n: n.name.endswith(", your answer, not so")))

        self.press("Return", "panel", f"Lesson 1 · step 2 of {steps}")
        reader.key("2")
        self.landed("text", "Your guess, in s")
        for key in ("5", "Return"):
            reader.key(key)
        self.landed("panel", f"Lesson 1 · step 2 of {steps}")  # not a button: Enter goes on
        self.says("Not quite: it is 0.238 s.")

        self.press("Return", "panel", f"Lesson 1 · step 3 of {steps}")
        reader.key("3")
        self.says("Noted. Now find out whether it is so. Set Method to LoRA.")
        self.tab_to("push button", "Go to method")
        method = self.press("Return", "radio button", "Method: full")
        self.assertTrue(method.has(Atspi.StateType.CHECKED))
        reader.key("Right")  # the keyboard stays on the choice: a description of the card would not be spoken
        self.tells("Right. Two rounds instead of three", "notification")
        self.press("F6", "panel", f"Lesson 1 · step 3 of {steps}")

        self.press("Return", "panel", f"Lesson 1 · step 4 of {steps}")
        reader.key("1")
        self.says("Noted.")
        self.tab_to("push button", "Hint")
        self.press("Return", "push button", "Hint")
        self.tab_to("push button", "Go to sequence length", "Shift+Tab")
        slider = self.press("Return", "slider", "Sequence length in tokens")
        for tokens in (128, 256, 512):
            reader.key("Right")
            self.assertTrue(spin(lambda t=tokens: slider.value == t), slider.value)
        self.tells("Right. 2.8 % became", "notification")
        self.press("F6", "panel", f"Lesson 1 · step 4 of {steps}")

        self.press("Return", "panel", f"Lesson 1 · step 5 of {steps}")
        answer = self.tab_to("push button", "Answer 3: ")
        reader.key("Return")
        self.assertTrue(spin(lambda: answer.name.endswith(", right")), answer.name)
        self.says("Right. MFU is a share")
        self.press("Return", "panel", "Lesson 1 · done: Now on your own scenario.")
        self.named()
        reader.key("Return")
        self.assertTrue(spin(lambda: not reader.find_now("push button", "To my scenario")), "the lesson does not end")
        self.press("Ctrl+6", "page tab list", "Learn")
        self.press("Tab", "push button", "Play again: What MFU is, done")


class TestGlossary(ByKeys):
    def test_terms_are_found_and_counted(self):
        reader = self.reader
        self.press("Ctrl+7", "page tab list", "Glossary")
        field = self.press("Tab", "text", "Search the glossary")
        self.assertEqual(field.description, "Search the terms")
        self.named()
        terms = reader.find("label", "Terms")
        everything = terms.text
        for letter in "hfu":
            reader.key(letter)
        self.assertTrue(spin(lambda: field.text == "hfu"))
        self.assertTrue(spin(lambda: re.fullmatch(r"Terms found: \d+", field.description)), field.description)
        self.says("Terms found: ")
        self.assertTrue(spin(lambda: terms.text != everything))
        self.assertIn("executed", terms.text)
        for letter in "xyz":
            reader.key(letter)
        self.assertTrue(spin(lambda: field.description.startswith("No term has")), field.description)
        self.says("No term has all of these words.")

    def test_a_page_that_is_left_and_found_again(self):
        self.press("Ctrl+7", "page tab list", "Glossary")
        self.press("Tab", "text", "Search the glossary")
        self.press("Ctrl+6", "page tab list", "Learn")
        self.press("Ctrl+7", "text", "Search the glossary")


class TestDialogs(ByKeys):
    def test_preferences(self):
        reader = self.reader
        reader.key("Ctrl+,")
        self.assertTrue(reader.opens("Preferences"))
        self.assertEqual(reader.window.role, "dialog")
        self.named()
        fields = {n.labels[0]: n for n in reader.all("combo box")}
        self.assertEqual(list(fields), ["Language", "Theme", "Text size", "Memory in", "Next start", "Kernel names"])
        for label, field in fields.items():
            self.assertTrue(field.description, label)
        # In the order of the eye; a key changes what is said of it.
        self.landed("combo box", fields["Language"].name)
        theme = self.press("Tab", "combo box", "As the desktop")
        self.assertEqual(theme.labels, ["Theme"])
        reader.key("Down")
        self.assertTrue(spin(lambda: theme.name == "Light"), theme.name)
        self.says("Light", "accessible-name")
        # Every button is reached, and a key on it does what it says.
        for name in ("OK", "Restore Defaults", "Cancel"):
            self.tab_to("push button", name)
        dialog = reader.window
        reader.key("Return")
        self.assertTrue(spin(lambda: not dialog.showing), "Cancel does not close it")

    def test_numbers_of_a_chart(self):
        chart = self.tab_to("chart", "")
        self.reader.key("t")
        self.assertTrue(self.reader.opens(chart.name.split(" over ")[0]), "T does not show the numbers")
        for name in ("Copy", "Export…", "Close"):
            self.tab_to("push button", name)

    def test_entry_form(self):
        self.reader.key("Ctrl+k")
        for letter in "duplicate":
            self.reader.key(letter)
        self.landed("list item", "Duplicate accelerator…, command")
        self.reader.key("Return")
        self.assertTrue(self.reader.opens("Duplicate accelerator"))
        self.named()
        for name in ("Save", "Cancel"):
            self.tab_to("push button", name)

    def test_views(self):
        reader = self.reader
        reader.key("Ctrl+F5")
        self.assertTrue(reader.opens("Views"))
        self.assertEqual(reader.window.role, "dialog")
        self.landed("list", "Views")
        self.assertTrue(reader.find("label", "No views yet."))
        self.press("Alt+a", "list item", "1  Llama")
        self.press("Alt+a", "list item", "2  Llama")
        self.named()
        for name in ("Up", "Down", "Delete", "Take the window's", "Open in the window", "Save as…", "Export PDF…", "Present"):
            self.assertTrue(reader.find("push button", name).description, name)
        name = self.press("Alt+n", "text", "Name")
        self.assertEqual(name.description, "Model and accelerators")
        for letter in "end":
            reader.key(letter)
        self.assertTrue(spin(lambda: name.text == "end"))
        note = self.press("Tab", "text", "Note")
        self.assertTrue(note.has(Atspi.StateType.MULTI_LINE))
        charts = self.press("Alt+c", "list", "Charts, up to 4")
        self.press("Down", "list item", "2 · ")
        first = self.press("Up", "list item", "1 · Utilisation")
        self.assertTrue(first.has(Atspi.StateType.CHECKED))
        self.assertTrue(first.name.endswith(", ticked"), first.name)
        reader.key("Space")
        self.assertTrue(spin(lambda: not first.has(Atspi.StateType.CHECKED)))
        self.tells("Utilisation, not ticked", "accessible-name")
        self.assertTrue(charts)
        self.tab_to("list", "Views", "Shift+Tab")
        self.press("Alt+Up", "list item", "1  end")
        self.press("Delete", "list item", "1  Llama")
        reader.key("Ctrl+z")
        self.assertTrue(reader.find_item("Views", "1  end"), "Undo does not bring it back")
        dialog = reader.window
        reader.key("Escape")
        self.assertTrue(spin(lambda: not dialog.showing))


class TestStage(ByKeys):
    def test_one_view(self):
        reader = self.reader
        reader.key("F5")
        self.assertTrue(reader.opens("Presentation, view 1 of 1: Llama"))
        self.assertIn(reader.window.role, ("window", "frame"))
        self.landed(reader.window.role, "Presentation, view 1 of 1")
        nodes = self.named()
        self.assertGreater(len([n for n in nodes if n.role == "chart" and len(n.description) > 20]), 0)
        tiles = [n for n in nodes if re.match(r".+, (predicted|observed): \S", n.name)]
        self.assertGreater(len(tiles), 3)
        self.assertEqual({n.role for n in tiles}, {"label"}, "there is nothing to press in a figure")
        for key, said in (("b", "Black screen"), ("b", "Presentation, view 1"), ("F1", "← → views"), ("k", "Kept: it is in the window"), ("k", "Kept: it is in the window")):
            reader.key(key)
            self.says(said)
        slider = self.press("Tab", "slider", "Micro-batch in sequences")
        before = slider.value
        reader.key("Right")
        self.assertTrue(reader.hears("accessible-value", lambda n: n.name == slider.name))
        self.assertEqual(slider.value, 2 * before)
        chart = self.tab_to("chart", "")
        reader.key("Right")
        self.assertTrue(reader.hears("accessible-description", lambda n: n.name == chart.name))
        reader.key("Escape")  # puts the chart's cursor away
        stage = reader.window
        reader.key("Escape")
        self.assertTrue(spin(lambda: not stage.showing), "Escape does not end the presentation")

    def test_views_are_stepped_through(self):
        reader = self.reader
        reader.key("Ctrl+F5")
        self.assertTrue(reader.opens("Views"))
        self.landed("list", "Views")
        self.press("Alt+a", "list item", "1  Llama")
        self.press("Alt+a", "list item", "2  Llama")
        self.press("Alt+t", "text", "Note")
        for letter in "so":
            reader.key(letter)
        self.assertTrue(spin(lambda: reader.focused.text == "so"), reader.focused.text)
        reader.key("F5")
        self.assertTrue(reader.opens("Presentation, view 1 of 2"))
        reader.key("Right")
        self.says("Presentation, view 2 of 2: Llama")
        self.assertTrue(words(reader.focused.description).endswith(". so"), reader.focused.description)
        reader.key("Left")
        self.says("Presentation, view 1 of 2")
        reader.key("Escape")
        self.assertTrue(spin(lambda: not reader.window.showing))


if __name__ == "__main__":
    unittest.main(verbosity=2)
