import subprocess
import sys


def launch(program, card):
    settings = ["CUDA_DEVICE_ORDER=PCI_BUS_ID", f"CUDA_VISIBLE_DEVICES={card}"]
    command = ["env", *settings, sys.executable, program, "cuda"]
    return subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8").stdout
