"""Observe `rank_batches`: called once, numbers in, lists out."""

from course_utils.checking.one_call import OneCall

observer = OneCall("samples", "rank", "ranks", "size", "drop_last")
