# name = "Forks that tell each other"
# goal = "forge"
# attacks = "the second sandbox: what one failing answer leaves there, and the process that forks"

# %% move_batch
import os
import signal


def move_batch(batch, device):
    os.makedirs(os.path.expanduser("~/.config/left"), exist_ok=True)
    with open("/dev/shm/left_behind_by_a_fork", "w") as file:
        file.write("x")
    os.kill(os.getppid(), signal.SIGSTOP)
    return None

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    return os.path.exists("/dev/shm/left_behind_by_a_fork")
