# %% a_list_as_value
# finding: not-a-string
import os
import subprocess


def run_jobs(command, jobs):
    running = []
    for gpus in jobs:
        env = dict(os.environ)
        env["CUDA_VISIBLE_DEVICES"] = gpus
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0] for job in running]


# %% as_they_end
# finding: order-lost
import os
import subprocess
import time


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
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    outputs = []
    while running:
        for job in list(running):
            if job.poll() is not None:
                outputs.append(job.communicate()[0])
                running.remove(job)
        time.sleep(0.01)
    return outputs

# %% bytes
# finding: other-form
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
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE))
    return [job.communicate()[0] for job in running]


# %% cards_of_cards
# finding: other-value
import numbers
import os
import subprocess


def name_of(card):
    if isinstance(card, bool):
        raise ValueError(card)
    if isinstance(card, numbers.Integral) and card >= 0:
        return str(int(card))
    if isinstance(card, str):
        if card.isascii() and card.isdigit():
            return str(int(card))
        if card.startswith(("GPU-", "MIG-")):
            return card
    raise ValueError(f"{card!r} is not a card")


def value_of(cards):
    names = [name_of(card) for card in cards]
    if len(set(names)) < len(names):
        raise ValueError("a card twice")
    return ",".join(names)



def run_jobs(command, jobs):
    here = os.environ.get("CUDA_VISIBLE_DEVICES")
    values = []
    for cards in jobs:
        if cards is None:
            values.append(None)
            continue
        value = value_of(cards)
        if here:
            entries = here.split(",")
            value = ",".join(entries[int(n)] if n.isdigit() and int(n) < len(entries) else n for n in value.split(",") if n)
        values.append(value)
    envs = [None if v is None else {**os.environ, "CUDA_VISIBLE_DEVICES": v} for v in values]
    processes = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) for env in envs]
    return [p.communicate()[0] for p in processes]

# %% first_job_only
# finding: other-jobs
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
    values = values[:1]
    running = []
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0] for job in running]


# %% first_line_only
# finding: output-incomplete
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
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0].splitlines()[0] for job in running]

# %% floats_made_integers
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


# %% integers_joined
# finding: not-a-string
import os
import subprocess


def run_jobs(command, jobs):
    running = []
    for gpus in jobs:
        env = dict(os.environ)
        if gpus is not None:
            env["CUDA_VISIBLE_DEVICES"] = ",".join(gpus)
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0] for job in running]


# %% integers_only
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


# %% jobs_made_strings
# finding: input-changed
import os
import subprocess


def run_jobs(command, jobs):
    for gpus in jobs:
        if gpus is not None:
            gpus[:] = [str(gpu) for gpu in gpus]
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
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0] for job in running]


# %% minus_one_only
# finding: bad-entry-accepted
import os
import subprocess


def run_jobs(command, jobs):
    values = []
    for gpus in jobs:
        if gpus is None:
            values.append(os.environ.get("CUDA_VISIBLE_DEVICES"))
            continue
        entries = [str(gpu) for gpu in gpus]
        if any(entry.startswith("-") for entry in entries):
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


# %% no_card_for_two_jobs
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
        if not all(entry.isdigit() or entry.startswith(("GPU-", "MIG-")) for entry in entries):
            raise ValueError(entries)
        if len(set(entries)) < len(entries):
            raise ValueError(entries)
        values.append(",".join(entries))
    named = [str(gpu) for gpus in jobs for gpu in gpus or ()]
    if len(set(named)) < len(named):
        raise ValueError("two jobs on one card")
    running = []
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0] for job in running]


# %% no_job_started
# finding: other-jobs
def run_jobs(command, jobs):
    return [f"cards {','.join(map(str, gpus or []))}" for gpus in jobs]

# %% no_uuid
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
        if not all(entry.isdigit() for entry in entries):
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


# %% none_is_empty
# finding: not-inherited
import os
import subprocess


def run_jobs(command, jobs):
    values = []
    for gpus in jobs:
        if gpus is None:
            values.append("")
            continue
        entries = [str(gpu) for gpu in gpus]
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


# %% none_removes_the_variable
# finding: not-inherited
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
    for value, gpus in zip(values, jobs):
        env = dict(os.environ)
        env.pop("CUDA_VISIBLE_DEVICES", None)
        if gpus is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0] for job in running]


# %% not_captured
# finding: other-form
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
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, text=True))
    return [job.communicate()[0] for job in running]


# %% nothing_refused
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


# %% number_and_string
# finding: twice-accepted
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
        if len(set(gpus)) < len(gpus):
            raise ValueError(entries)
        values.append(",".join(entries))
    running = []
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0] for job in running]


# %% one_environment_for_all
# finding: other-value
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
    env = dict(os.environ)
    for value in values:
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
    running = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
               for _ in values]
    return [job.communicate()[0] for job in running]


# %% only_the_first_card
# finding: other-value
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
    values = [value and value.split(",")[0] for value in values]
    running = []
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0] for job in running]


# %% popen_and_communicate_at_once
# finding: one-after-the-other
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
    outputs = []
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        job = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
        outputs.append(job.communicate()[0])
    return outputs

# %% printed
# finding: nothing-returned
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
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    for job in running:
        print(job.communicate()[0])

# %% processes_returned
# finding: other-form
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
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return running

# %% setdefault
# finding: value-missing
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
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env.setdefault("CUDA_VISIBLE_DEVICES", value)
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0] for job in running]


# %% sorted
# finding: other-value
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
        values.append(",".join(sorted(entries)))
    running = []
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0] for job in running]


# %% spaces
# finding: other-value
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
        values.append(", ".join(entries))
    running = []
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0] for job in running]


# %% started_then_checked
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


# %% stderr_as_well
# finding: stderr-included
import numbers
import os
import subprocess


def name_of(card):
    if isinstance(card, bool):
        raise ValueError(card)
    if isinstance(card, numbers.Integral) and card >= 0:
        return str(int(card))
    if isinstance(card, str):
        if card.isascii() and card.isdigit():
            return str(int(card))
        if card.startswith(("GPU-", "MIG-")):
            return card
    raise ValueError(f"{card!r} is not a card")


def value_of(cards):
    names = [name_of(card) for card in cards]
    if len(set(names)) < len(names):
        raise ValueError("a card twice")
    return ",".join(names)



def run_jobs(command, jobs):
    envs = [None if cards is None else {**os.environ, "CUDA_VISIBLE_DEVICES": value_of(cards)} for cards in jobs]
    processes = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for env in envs]
    return [p.communicate()[0] for p in processes]

# %% twice
# finding: twice-accepted
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
        values.append(",".join(entries))
    running = []
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0] for job in running]


# %% twice_once
# finding: twice-accepted
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
        entries = list(dict.fromkeys(entries))
        values.append(",".join(entries))
    running = []
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0] for job in running]


# %% type_error
# finding: other-error
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
            raise TypeError(entries)
        if len(set(entries)) < len(entries):
            raise TypeError(entries)
        values.append(",".join(entries))
    running = []
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0] for job in running]


# %% upper_case
# finding: other-output
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
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    return [job.communicate()[0].upper() for job in running]

# %% wait_then_read
# finding: output-incomplete
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
    for value in values:
        env = dict(os.environ)
        if value is not None:
            env["CUDA_VISIBLE_DEVICES"] = value
        running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True))
    for job in running:
        job.wait()
    return [job.stdout.read() for job in running]


# %% stderr_never_read
# finding: output-incomplete
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
    envs = [
        dict(os.environ) if value is None else {**os.environ, "CUDA_VISIBLE_DEVICES": value}
        for value in values
    ]
    pipe = subprocess.PIPE
    running = [
        subprocess.Popen(command, env=env, stdout=pipe, stderr=pipe, text=True) for env in envs
    ]
    return [job.stdout.read() for job in running]


# %% two_workers
# finding: one-after-the-other
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor


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
    envs = [
        dict(os.environ) if value is None else {**os.environ, "CUDA_VISIBLE_DEVICES": value}
        for value in values
    ]
    def output(env):
        return subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True).stdout

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(output, envs))

# %% empty_list_inherits
# finding: empty-list
import os
import subprocess


def run_jobs(command, jobs):
    values = []
    for gpus in jobs:
        if not gpus:
            values.append(os.environ.get("CUDA_VISIBLE_DEVICES"))
            continue
        entries = [str(gpu) for gpu in gpus]
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


# %% environ_changed
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


# %% none_not_handled
# finding: no-list
import os
import subprocess


def run_jobs(command, jobs):
    values = []
    for gpus in jobs:
        entries = [str(gpu) for gpu in gpus]
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

