# finding: not-run
import os
import subprocess


def child_device_count(command, visible):
    env = dict(os.environ)
    env.pop("CUDA_VISIBLE_DEVICES", None)
    if visible is not None:
        env["CUDA_VISIBLE_DEVICES"] = visible
    done = subprocess.run("exec " + " ".join(command[:1]) + " < /dev/null", env=env, shell=True,
                          capture_output=True, text=True)
    return int(done.stdout or 0)
