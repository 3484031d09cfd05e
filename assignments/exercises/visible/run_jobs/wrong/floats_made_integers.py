# finding: bad-entry-accepted
import os
import subprocess


def run_jobs(command, jobs):
    values = []
    for gpus in jobs:
        if gpus is None:
            values.append(os.environ.get("CUDA_VISIBLE_DEVICES"))
            continue
        entries = [str(int(gpu)) if isinstance(gpu, float) else str(gpu) for gpu in gpus]
        if not all(entry.isdigit() or entry.startswith(("GPU-", "MIG-")) for entry in entries):
            raise ValueError(entries)
        if len(set(entries)) < len(entries):
            raise ValueError(entries)
        values.append(",".join(entries))
    running = []
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0] for job in running]

