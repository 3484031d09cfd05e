"""Observe `predict_devices`: called once, a program in, names of devices out."""

from course_utils.checking.one_call import OneCall


class PredictDevices(OneCall):
    needs_devices = True  # an answer may let torch itself play the program


observer = PredictDevices("program")
