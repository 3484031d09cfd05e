# %% process_returned
# finding: not-returned
import os
import subprocess


def launch(program, card):
    order = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": str(card)}
    command = ["python", program, "cuda:0"]
    done = subprocess.run(command, env={**os.environ, **order}, capture_output=True, text=True)
    return done

# %% a_name_in_the_list
# finding: no-card
import os
import subprocess


def launch(program, card):
    order = {"CUDA_VISIBLE_DEVICES": f"cuda:{card}"}
    command = ["python", program, "cuda:0"]
    done = subprocess.run(command, env={**os.environ, **order}, capture_output=True, text=True)
    return done.stdout

# %% never_started
# finding: other-starts
def launch(program, card):
    return ''


# %% popen_returned
# finding: not-returned
import os
import subprocess


def launch(program, card):
    order = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": str(card)}
    command = ["python", program, "cuda:0"]
    return subprocess.Popen(command, env={**os.environ, **order}, stdout=subprocess.PIPE)


# %% only_two_variables
# finding: variables-lost
import subprocess


def launch(program, card):
    order = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": str(card)}
    command = ["python", program, "cuda:0"]
    return subprocess.run(command, env=order, capture_output=True, text=True).stdout


# %% inherited_wins
# finding: other-card
import os
import subprocess


def launch(program, card):
    order = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": str(card)}
    command = ["python", program, "cuda:0"]
    done = subprocess.run(command, env={**order, **os.environ}, capture_output=True, text=True)
    return done.stdout
