"""Observe `finish_time`: called once, numbers in, a number out."""

from course_utils.checking.one_call import OneCall

observer = OneCall("jobs", "workers", "t_find", "t_work", "t_collect", "days")
