"""Observe `epochs_trained`: called once, a few numbers in, a list out."""

from course_utils.checking.one_call import OneCall

observer = OneCall("epochs", "every", "killed")
