# finding: refused-needlessly
import os
import subprocess


def run_jobs(command, jobs):
    values = []
    for gpus in jobs:
        if gpus is None:
            values.append(os.environ.get("CUDA_VISIBLE_DEVICES"))
            continue
        entries = [str(gpu) for gpu in gpus]
        if any(type(gpu) is not int or gpu < 0 for gpu in gpus):
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

