"""The side of grading that has the seed and judges. It never runs a line of a submission."""
