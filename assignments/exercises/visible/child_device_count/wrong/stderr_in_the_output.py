# finding: stderr-mixed-in
import os
import subprocess


def child_device_count(command, visible):
    env = dict(os.environ)
    env.pop("CUDA_VISIBLE_DEVICES", None)
    if visible is not None:
        env["CUDA_VISIBLE_DEVICES"] = visible
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=True)
    return int(done.stdout.splitlines()[-1])
