# finding: failure-ignored
import os
import subprocess


def child_device_count(command, visible):
    env = dict(os.environ)
    env.pop("CUDA_VISIBLE_DEVICES", None)
    if visible is not None:
        env["CUDA_VISIBLE_DEVICES"] = visible
    try:
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    except subprocess.CalledProcessError:
        return 0
    return int(done.stdout.splitlines()[-1])
