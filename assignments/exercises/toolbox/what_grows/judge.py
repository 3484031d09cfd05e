"""Judge `what_grows`: the line and the cause that the run was made with; then its memory."""

from exercise_kit.diagnosis import DiagnosisJudge

from .run import CAUSES, draw

judge = DiagnosisJudge(draw, CAUSES)
