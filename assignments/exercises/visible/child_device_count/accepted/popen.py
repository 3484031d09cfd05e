import os
import subprocess


def child_device_count(command, visible):
    env = os.environ.copy()
    if visible is None:
        env.pop("CUDA_VISIBLE_DEVICES", None)
    else:
        env.update(CUDA_VISIBLE_DEVICES=visible)
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as child:
        lines = [line for line in child.stdout]
    if child.returncode != 0:
        raise subprocess.CalledProcessError(child.returncode, command)
    return int(lines[-1])
