"""The learner's program, train.py: putting parts into it, and running it."""
