import os
import subprocess
import sys


def launch(program, card):
    environ = os.environ.copy()
    environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
    environ["CUDA_VISIBLE_DEVICES"] = f"{card}"
    return subprocess.run([sys.executable, program, "cuda"], env=environ, stdout=-1, text=True).stdout
