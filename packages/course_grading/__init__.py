"""Grading with nbgrader. The worker runs a submission, the judge decides on it: two processes."""
