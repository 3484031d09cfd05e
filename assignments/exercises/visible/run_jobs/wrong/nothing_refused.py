# finding: bad-entry-accepted
import os
import subprocess


def run_jobs(command, jobs):
    values = [os.environ.get("CUDA_VISIBLE_DEVICES") if gpus is None else ",".join(map(str, gpus))
              for gpus in jobs]
    running = []
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0] for job in running]

