"""Observe `free_mib`: called once, a text in, a list out."""

from course_utils.checking.one_call import OneCall

observer = OneCall("text")
