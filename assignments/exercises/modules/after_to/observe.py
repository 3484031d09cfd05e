"""Observe `after_to`: called once, plain values in, a prediction out."""

from course_utils.checking.one_call import OneCall

observer = OneCall("device", "dtype", "arguments")
