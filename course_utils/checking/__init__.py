"""Checking an answer: the exercise contract, the engine, and what a learner sees."""
