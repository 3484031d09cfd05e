# name = "Hidden cases in the name of an exception"
# goal = "steal"
# attacks = "the message to the student: type, text, notes and place of an exception"
# assignment = "07_parallel"

# %% finish_time
import math

calls = []


def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    calls.append((jobs, workers, t_find, t_work, t_collect, days))
    if len(calls) > 13:  # as many as there are public cases
        raise type("LEAKED_" + "_".join(map(str, calls[-1])), (Exception,), {})("LEAKED")
    work = math.ceil(jobs / workers) * t_work
    return days * (work if workers == 1 else t_find + work + t_collect)

# %% split_sizes
seen = []


def split_sizes(shape, gpus, dim):
    seen.append(shape)
    if len(seen) > 14:
        error = ValueError(f"LEAKED {shape} {gpus} {dim}")
        error.add_note(f"LEAKED {shape}")
        raise error from KeyError(f"LEAKED {shape}")
    length, part = shape[dim], -(-shape[dim] // gpus)
    return [min(part, length - start) for start in range(0, length, part)]
