# finding: value-missing
import os
import subprocess


def child_device_count(command, visible):
    env = os.environ.copy().update(CUDA_VISIBLE_DEVICES=visible)
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    return int(done.stdout.splitlines()[-1])
