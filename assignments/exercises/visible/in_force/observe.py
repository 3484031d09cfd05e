"""Observe `in_force`: called once, the events of a program in, a list of cards out."""

from course_utils.checking.one_call import OneCall, rows_as_tuples

observer = OneCall("start", "events", make=rows_as_tuples)
