import contextlib
import numbers
import os
import subprocess
import tempfile


class NotACard(ValueError):
    pass


def entry(gpu):
    if isinstance(gpu, numbers.Integral) and gpu >= 0:
        return format(int(gpu), "d")
    if isinstance(gpu, str) and (gpu.isdecimal() or gpu[:4] in ("GPU-", "MIG-")):
        return gpu
    raise NotACard(gpu)


def run_jobs(command, jobs):
    changes = []
    for gpus in jobs:
        entries = [] if gpus is None else list(map(entry, gpus))
        if sorted(set(entries)) != sorted(entries):
            raise NotACard(gpus)
        changes.append([] if gpus is None else ["CUDA_VISIBLE_DEVICES=" + ",".join(entries)])
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile("w+")) for _ in jobs]
        started = [
            subprocess.Popen(["env", *change, *command], stdout=file, env=os.environ.copy())
            for change, file in zip(changes, files)
        ]
        for process in started:
            process.wait()
        texts = []
        for file in files:
            file.seek(0)
            texts.append(file.read().rstrip("\n"))
    return tuple(texts)
