# finding: empty-value
import os
import subprocess


def child_device_count(command, visible):
    env = {name: os.environ[name] for name in os.environ if name != "CUDA_VISIBLE_DEVICES"}
    if visible:
        env["CUDA_VISIBLE_DEVICES"] = visible
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    return int(done.stdout.splitlines()[-1])
