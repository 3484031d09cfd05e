# finding: parent-changed
import os
import subprocess


def child_device_count(command, visible):
    before = os.environ.pop("CUDA_VISIBLE_DEVICES", None)
    try:
        if visible is not None:
            os.environ["CUDA_VISIBLE_DEVICES"] = visible
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    finally:
        os.environ.pop("CUDA_VISIBLE_DEVICES", None)
        if before is not None:
            os.environ["CUDA_VISIBLE_DEVICES"] = before
    return int(done.stdout.splitlines()[-1])
