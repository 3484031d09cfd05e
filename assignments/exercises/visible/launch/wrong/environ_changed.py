# finding: parent-changed
import os
import subprocess


def launch(program, card):
    os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
    os.environ["CUDA_VISIBLE_DEVICES"] = str(card)
    command = ["python", program, "cuda:0"]
    return subprocess.run(command, capture_output=True, text=True).stdout
