# %% always_all_of_one_gpu
# finding: more-than-needed
def meet_budget(measure, budget):
    return ["bfloat16", "checkpoint", "fused"]

# %% by_rule_of_thumb
# finding: does-not-fit
def meet_budget(measure, budget):
    return ["bfloat16"]

# %% sharding_without_the_rest
# finding: does-not-fit
from itertools import combinations


def meet_budget(measure, budget):
    for count in range(4):
        for few in combinations(["bfloat16", "checkpoint", "fused"], count):
            if measure([*few]) <= budget:
                return [*few]
    return ["sharding"]

# %% the_peak
# finding: other-form
def meet_budget(measure, budget):
    return measure([])

# %% a_name_alone
# finding: other-form
def meet_budget(measure, budget):
    for name in ["bfloat16", "checkpoint", "fused", "sharding"]:
        if measure([name]) <= budget:
            return name

# %% strings_measured
# finding: no-list-measured
def meet_budget(measure, budget):
    for name in ["bfloat16", "checkpoint", "fused", "sharding"]:
        if measure(name) <= budget:
            return [name]

# %% from_the_end
# finding: later-of-equals
from itertools import combinations


def meet_budget(measure, budget):
    for more in ([], ["sharding"]):
        for count in range(4):
            for few in reversed(list(combinations(["bfloat16", "checkpoint", "fused"], count))):
                if measure([*few, *more]) <= budget:
                    return [*few, *more]

# %% sharding_first
# finding: other-order
from itertools import combinations


def meet_budget(measure, budget):
    for more in ([], ["sharding"]):
        for count in range(4):
            for few in combinations(["bfloat16", "checkpoint", "fused"], count):
                if measure([*more, *few]) <= budget:
                    return [*more, *few]

# %% short_names
# finding: no-list-measured
def meet_budget(measure, budget):
    for remedies in ([], ["bf16"], ["checkpoint"], ["fused"]):
        if measure(remedies) <= budget:
            return remedies

# %% positions_returned
# finding: other-remedies
from itertools import combinations


def meet_budget(measure, budget):
    names = ["bfloat16", "checkpoint", "fused", "sharding"]
    for more in ([], ["sharding"]):
        for count in range(4):
            for few in combinations(names[:3], count):
                if measure([*few, *more]) <= budget:
                    return [names.index(each) for each in [*few, *more]]

# %% never_none_at_all
# finding: more-than-needed
from itertools import combinations


def meet_budget(measure, budget):
    for more in ([], ["sharding"]):
        for count in range(1, 4):
            for few in combinations(["bfloat16", "checkpoint", "fused"], count):
                if measure([*few, *more]) <= budget:
                    return [*few, *more]

# %% everything_if_nothing_fits
# finding: not-none
from itertools import combinations


def meet_budget(measure, budget):
    remedies = []
    for more in ([], ["sharding"]):
        for count in range(4):
            for few in combinations(["bfloat16", "checkpoint", "fused"], count):
                remedies = [*few, *more]
                if measure(remedies) <= budget:
                    return remedies
    return remedies

# %% measured_twice
# finding: measured-again
from itertools import combinations


def meet_budget(measure, budget):
    for more in ([], ["sharding"]):
        for count in range(4):
            for few in combinations(["bfloat16", "checkpoint", "fused"], count):
                peaks = [measure([*few, *more]) for _ in range(2)]
                if max(peaks) <= budget:
                    return [*few, *more]

# %% savings_added_up
# finding: too-many-runs
from itertools import combinations


def meet_budget(measure, budget):
    names = ["bfloat16", "checkpoint", "fused", "sharding"]
    whole = measure([])
    saved = {name: whole - measure([name]) for name in names}
    for more in ([], ["sharding"]):
        for count in range(4):
            for few in combinations(names[:3], count):
                if whole - sum(saved[name] for name in [*few, *more]) <= budget:
                    return [*few, *more]
