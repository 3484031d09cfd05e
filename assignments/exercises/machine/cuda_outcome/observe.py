"""Observe `cuda_outcome`: called once, versions in, a string out."""

from course_utils.checking.one_call import OneCall

observer = OneCall("action", "driver", "pytorch", "toolkit")
