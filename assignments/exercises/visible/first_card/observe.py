"""Observe `first_card`: called once, the cards as tuples in, a UUID out."""

from course_utils.checking.one_call import OneCall, rows_as_tuples

observer = OneCall("cards", "order", "visible", make=rows_as_tuples)
