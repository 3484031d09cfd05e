"""Judge `which_tensor`: line and cause that the run was made with; then what it computes."""

from exercise_kit.diagnosis import DiagnosisJudge

from .run import CAUSES, draw

judge = DiagnosisJudge(draw, CAUSES)
