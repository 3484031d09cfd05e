"""Grading with nbgrader: who runs a submission never judges it, and who judges never runs it."""
