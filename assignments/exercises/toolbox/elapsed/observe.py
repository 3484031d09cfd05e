"""Observe `elapsed`: called once, a program and two names in, a number out."""

from course_utils.checking.one_call import OneCall, rows_as_tuples

observer = OneCall("program", "start", "end", make=rows_as_tuples)
