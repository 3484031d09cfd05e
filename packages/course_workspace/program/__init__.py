"""The program that the learner writes, part by part."""
