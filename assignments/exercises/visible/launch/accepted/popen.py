import os
import subprocess
import sys


def launch(program, card):
    env = dict(os.environ, CUDA_DEVICE_ORDER="PCI_BUS_ID", CUDA_VISIBLE_DEVICES=str(card))
    process = subprocess.Popen(
        [sys.executable, program, "cuda:0"], env=env, stdout=subprocess.PIPE, text=True
    )
    printed, _ = process.communicate()
    return printed
