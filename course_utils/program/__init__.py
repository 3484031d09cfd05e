"""The learner's program, train.py, which is written part by part."""
