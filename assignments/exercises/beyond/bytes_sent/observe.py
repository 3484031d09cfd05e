"""Observe `bytes_sent`: called once, numbers in, a list out."""

from course_utils.checking.one_call import OneCall

observer = OneCall("way", "size", "gpus", "parts")
