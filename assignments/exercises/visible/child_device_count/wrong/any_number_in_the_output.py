# finding: another-number
import os
import re
import subprocess


def child_device_count(command, visible):
    env = dict(os.environ)
    env.pop("CUDA_VISIBLE_DEVICES", None)
    if visible is not None:
        env["CUDA_VISIBLE_DEVICES"] = visible
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    return int(re.search(r"\d+", done.stdout)[0])
