"""Observe `self_times`: TODO what is reported. For more than one call, write an Observer."""

from course_utils.checking.one_call import OneCall

observer = OneCall("x")
