"""Observe `who_gets`: called once, a list out, and the two lists afterwards."""

from course_utils.checking.one_call import OneCall, rows_as_tuples

observer = OneCall("free", "users", "startup", make=rows_as_tuples)
