"""The worker's side of grading, on which submissions run: without judge, seed and scores."""
