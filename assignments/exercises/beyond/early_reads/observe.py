"""Observe `early_reads`: called once, a program in, a list out."""

from course_utils.checking.one_call import OneCall, rows_as_tuples

observer = OneCall("program", make=rows_as_tuples)
