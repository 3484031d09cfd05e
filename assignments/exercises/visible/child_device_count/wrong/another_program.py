# finding: not-run
import os
import subprocess
import sys


def child_device_count(command, visible):
    env = dict(os.environ, CUDA_VISIBLE_DEVICES=visible or "")
    program = "import os; print(len(os.environ['CUDA_VISIBLE_DEVICES'].split(',')))"
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True)
    return int(done.stdout)
