"""Grading with nbgrader: the instructor's seed, and a class made of the known answers."""
