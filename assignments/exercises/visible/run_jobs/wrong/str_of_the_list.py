# finding: list-as-string
import os
import subprocess


def run_jobs(command, jobs):
    running = []
    for gpus in jobs:
        env = dict(os.environ)
        if gpus is not None:
            env["CUDA_VISIBLE_DEVICES"] = str(gpus)
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0] for job in running]

