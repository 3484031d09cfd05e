# finding: value-missing
import os
import subprocess


def child_device_count(command, visible):
    os.system(f"export CUDA_VISIBLE_DEVICES={visible}")
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout.splitlines()[-1])
