# finding: other-card
import os
import subprocess


def launch(program, card):
    order = {"CUDA_VISIBLE_DEVICES": str(card)}
    command = ["python", program, "cuda:0"]
    done = subprocess.run(command, env={**os.environ, **order}, capture_output=True, text=True)
    return done.stdout
