"""The side of grading on which submissions run. Nothing here knows a judge, a seed or a score."""
