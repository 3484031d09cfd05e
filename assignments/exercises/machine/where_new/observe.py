"""Observe `where_new`: called once, steps in, devices out."""

from course_utils.checking.one_call import OneCall

observer = OneCall("steps")
