"""Observe `epoch_time`: called once, numbers in, a number out."""

from course_utils.checking.one_call import OneCall

observer = OneCall("loads", "compute", "workers", "prefetch", "startup")
