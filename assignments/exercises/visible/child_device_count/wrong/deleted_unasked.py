# finding: unset
import os
import subprocess


def child_device_count(command, visible):
    env = dict(os.environ)
    if visible is None:
        del env["CUDA_VISIBLE_DEVICES"]
    else:
        env["CUDA_VISIBLE_DEVICES"] = visible
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True)
    return int(done.stdout.splitlines()[-1])
