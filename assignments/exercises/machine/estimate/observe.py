"""Observe `estimate`: called once, three dicts in, two times out."""

from course_utils.checking.one_call import OneCall

observer = OneCall("work", "cpu", "gpu")
