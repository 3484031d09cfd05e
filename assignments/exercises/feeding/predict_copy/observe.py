"""Observe `predict_copy`: called once, plain values in, a dict out."""

from course_utils.checking.one_call import OneCall

observer = OneCall("source", "pinned", "target", "non_blocking")
