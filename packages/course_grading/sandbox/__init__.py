"""The sandbox: it confines a forked process before code of a submission runs there."""

from course_grading.sandbox.confine import confine
from course_grading.sandbox.levels import Level, SandboxRefused
from course_grading.sandbox.limits import Limits
from course_grading.sandbox.probe import ProbeResult, probe
from course_grading.sandbox.supervisor import OUR_FAULT

__all__ = ["OUR_FAULT", "Level", "Limits", "ProbeResult", "SandboxRefused", "confine", "probe"]
