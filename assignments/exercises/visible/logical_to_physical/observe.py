"""Observe `logical_to_physical`: called once, a value in, a list of cards out."""

from course_utils.checking.one_call import OneCall

observer = OneCall("value", "n_physical")
