"""What judges the facts: one package per assignment, with a table `JUDGES`.

Nothing here meets an object that a learner made, and nothing here imports `course_utils.exercises`.
"""
