# %% no_index
import os
import subprocess


def launch(program, card):
    order = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": str(card)}
    command = ["python", program, "cuda"]
    done = subprocess.run(command, env={**os.environ, **order}, capture_output=True, text=True)
    return done.stdout

# %% popen
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

# %% sys_executable
import os
import subprocess
import sys


def launch(program, card):
    environ = os.environ.copy()
    environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
    environ["CUDA_VISIBLE_DEVICES"] = f"{card}"
    return subprocess.run([sys.executable, program, "cuda"], env=environ, stdout=-1, text=True).stdout
