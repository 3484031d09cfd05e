# finding: parent-changed
import os
import subprocess


def run_jobs(command, jobs):
    values = []
    for gpus in jobs:
        if gpus is None:
            values.append(os.environ.get("CUDA_VISIBLE_DEVICES"))
            continue
        entries = [str(gpu) for gpu in gpus]
        if not all(entry.isdigit() or entry.startswith(("GPU-", "MIG-")) for entry in entries):
            raise ValueError(entries)
        if len(set(entries)) < len(entries):
            raise ValueError(entries)
        values.append(",".join(entries))
    running = []
    before = os.environ.get("CUDA_VISIBLE_DEVICES")
    for value in values:
        if value is not None:
            os.environ["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        os.environ.pop("CUDA_VISIBLE_DEVICES", None)
        if before is not None:
            os.environ["CUDA_VISIBLE_DEVICES"] = before
    return [job.communicate()[0] for job in running]

