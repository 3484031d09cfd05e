# finding: no-such-device
import os
import subprocess


def launch(program, card):
    order = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": str(card)}
    command = ["python", program, f"cuda:{card}"]
    done = subprocess.run(command, env={**os.environ, **order}, capture_output=True, text=True)
    return done.stdout
