# finding: started-and-refused
import os
import subprocess


def run_jobs(command, jobs):
    running = []
    for gpus in jobs:
        env = dict(os.environ)
        if gpus is not None:
            entries = [str(gpu) for gpu in gpus]
            if not all(e.isdigit() or e.startswith(("GPU-", "MIG-")) for e in entries):
                raise ValueError(entries)
            if len(set(entries)) < len(entries):
                raise ValueError(entries)
            env["CUDA_VISIBLE_DEVICES"] = ",".join(entries)
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0] for job in running]

