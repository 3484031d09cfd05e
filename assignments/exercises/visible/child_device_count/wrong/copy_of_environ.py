# finding: parent-changed
import copy
import os
import subprocess


def child_device_count(command, visible):
    env = copy.copy(os.environ)
    if visible is None:
        env.pop("CUDA_VISIBLE_DEVICES", None)
    else:
        env["CUDA_VISIBLE_DEVICES"] = visible
    return int(subprocess.check_output(command, env=env).split()[-1])
