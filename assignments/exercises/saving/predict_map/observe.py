"""Observe `predict_map`: called once; strings, a number and perhaps a dict in, a string out."""

from course_utils.checking.one_call import OneCall

observer = OneCall("tag", "form", "value", "gpus")
