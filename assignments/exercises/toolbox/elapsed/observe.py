"""Observe `elapsed`: called once, a program and two names in, a number out."""

from exercise_kit.observers import OneCall, rows_as_tuples

observer = OneCall("program", "start", "end", make=rows_as_tuples)
