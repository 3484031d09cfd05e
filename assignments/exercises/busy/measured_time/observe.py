"""Observe `measured_time`: called once, a program in, a number out."""

from course_utils.checking.one_call import OneCall

observer = OneCall("program", "launch", "kernel")
