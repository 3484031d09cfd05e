"""Observe `utilisation`: the share that comes back, and the list afterwards."""

from course_utils.checking.one_call import OneCall, rows_as_tuples

observer = OneCall("kernels", "start", "end", make=rows_as_tuples)
