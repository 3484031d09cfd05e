"""Observe `double`: called once."""

from course_utils.checking.one_call import OneCall

observer = OneCall("x", seconds=0.3)
