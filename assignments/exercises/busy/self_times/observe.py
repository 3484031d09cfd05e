"""Observe `self_times`: the dict that comes back, and the list afterwards."""

from course_utils.checking.one_call import OneCall, rows_as_tuples

observer = OneCall("calls", make=rows_as_tuples)
