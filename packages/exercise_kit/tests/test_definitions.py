"""What is kept of a cell where it is run for its definitions alone."""

from exercise_kit.definitions import definitions

CELL = """
import torch
WIDTHS = (16, 32)
device = torch.device("cuda")
other = device


def load(path):
    return torch.load(path)


again = load
load("model.pt")
"""


def test_imports_literals_functions_and_further_names_of_these_are_kept():
    assert list(definitions(CELL)) == [
        "import torch",
        "WIDTHS = (16, 32)",
        "def load(path):\n    return torch.load(path)",
        "again = load",
    ]


def test_what_is_no_python_defines_nothing():
    assert list(definitions("def load(:\n")) == []
