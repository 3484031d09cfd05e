"""`course grade`: a class's submissions of one assignment, graded into nbgrader's gradebook."""
