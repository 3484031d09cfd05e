import os
import subprocess


def run_jobs(command, jobs):
    """Run `command` once for each entry of `jobs`, all at the same time; return what they print.

    jobs: for each job a list of cards, or None for the cards that are set here.
    Raises ValueError, before any job is started, if a list names no card or a card twice.
    """
    ### BEGIN SOLUTION
    # First all values: after this loop nothing can be refused any more.
    environments = []
    for gpus in jobs:
        env = dict(os.environ)
        if gpus is not None:
            # As strings, all kinds of entries look alike, and 2 and "2" are the same card.
            entries = [str(gpu) for gpu in gpus]
            for entry in entries:
                if not entry.isdigit() and not entry.startswith(("GPU-", "MIG-")):
                    raise ValueError(f"{entry!r} is not a card")
            if len(set(entries)) < len(entries):
                raise ValueError(f"a card is named twice: {entries}")
            env["CUDA_VISIBLE_DEVICES"] = ",".join(entries)
        environments.append(env)
    # `Popen` starts a process and does not wait for it; `communicate` reads until it ends.
    running = [
        subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
        for env in environments
    ]
    return [job.communicate()[0] for job in running]
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# program = "import os; print('cards', os.environ.get('CUDA_VISIBLE_DEVICES'))"
# print(run_jobs([sys.executable, "-c", program], [[0], [3, 1], None]))
