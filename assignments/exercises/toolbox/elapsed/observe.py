"""Observe `elapsed`: the result of one call, with a program and two names."""

from exercise_kit.observers import OneCall, rows_as_tuples

observer = OneCall("program", "start", "end", make=rows_as_tuples)
