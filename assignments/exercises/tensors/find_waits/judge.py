"""Judge `find_waits`: the line and the cause that the run was made with; then its waits."""

from exercise_kit.diagnosis import DiagnosisJudge

from .run import CAUSES, draw

judge = DiagnosisJudge(draw, CAUSES)
