"""Observe `which_tensor`: the claim, and what the program does with the change."""

from exercise_kit.diagnosis import DiagnosisObserver

from .run import draw, execute

observer = DiagnosisObserver(draw, execute)
