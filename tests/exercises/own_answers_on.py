"""Print the cases in which an exercise's own answer fails on so many virtual GPUs."""

import sys

import torch

import virtual_cuda
from course_utils.checking.exercises import exercise, exercise_names
from course_utils.devices import take_virtual_gpus
from exercise_kit.corpus import load_answer
from exercise_kit.engine import judged
from exercise_kit.fitting import needed
from exercise_kit.reference import reference
from exercise_kit.runner import Runner

GPUS = int(sys.argv[1])
virtual_cuda.enable(GPUS, quiet=True, hide_real_gpus=True)
take_virtual_gpus()

for known in map(exercise, exercise_names()):
    if not known.is_data or known.observer.gpus == 0:
        continue
    answer = load_answer(reference(known.path), known.short, f"{known.path}/answer.py")
    run = Runner(known.observer, answer, known.world)
    for number, case in known.fitting(GPUS).items():
        if needed(known.observer, case) and (outcome := judged(known.judge, case, run(case))):
            print(known.name, number, case.title, outcome)
print(torch.cuda.device_count(), "GPUs")
