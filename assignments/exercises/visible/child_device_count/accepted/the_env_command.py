import subprocess


def child_device_count(command, visible):
    name = "CUDA_VISIBLE_DEVICES"
    change = ["-u", name] if visible is None else [f"{name}={visible}"]
    done = subprocess.run(["env", *change, *command], stdout=subprocess.PIPE, check=True)
    return int(done.stdout.decode().strip().rpartition("\n")[2])
