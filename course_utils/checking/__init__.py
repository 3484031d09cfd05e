"""Checking an answer: the functions that learners call, and the messages that they see."""
