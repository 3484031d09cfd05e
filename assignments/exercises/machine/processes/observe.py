"""Observe `processes`: called once, a table in, a list out."""

from course_utils.checking.one_call import OneCall

observer = OneCall("table")
