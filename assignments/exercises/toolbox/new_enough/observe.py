"""Observe `new_enough`: called once, pairs and a string in, indices out."""

from course_utils.checking.one_call import OneCall, rows_as_tuples

observer = OneCall("capabilities", "needed", make=rows_as_tuples)
