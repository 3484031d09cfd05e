# finding: other-jobs
def run_jobs(command, jobs):
    return [f"cards {','.join(map(str, gpus or []))}" for gpus in jobs]
