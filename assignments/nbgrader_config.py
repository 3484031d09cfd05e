"""nbgrader's settings for this course. Run nbgrader in this folder."""

from pathlib import Path

from course_grading.settings import grade_in_sandbox

HERE = Path(__file__).resolve().parent

c = get_config()

c.CourseDirectory.course_id = "on_the_right_device"
c.CourseDirectory.root = str(HERE)

# `nbgrader autograde` and formgrader's button grade as `course grade` does.
grade_in_sandbox(c, HERE)
