"""Pages about grades: the report of a run, and what a class believes, to be projected."""

from course_grading.report.run import RunReport
from course_grading.report.write import write_misconceptions, write_report

__all__ = ["RunReport", "write_misconceptions", "write_report"]
