"""The judge's side of grading. It has the hidden cases and never runs code of a submission."""
