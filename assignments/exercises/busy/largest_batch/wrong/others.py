# %% as_a_list
# finding: other-form
import torch


def largest_batch(step, most):
    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        try:
            step(middle)
            low = middle
        except torch.OutOfMemoryError:
            high = middle
    return [low, high]

# %% asked_what_step_returns
# finding: fit-not-noticed
import torch

def largest_batch(step, most):
    fits, fails = 0, most + 1
    while fails - fits > 1:
        size = (fits + fails) // 2
        try:
            ok = step(size)
        except torch.OutOfMemoryError:
            ok = False
        if ok:
            fits = size
        else:
            fails = size
    return fits

# %% bounds_that_stand_still
# finding: never-ends
import torch

def largest_batch(step, most):
    low, high = 0, most
    while low < high:
        size = (low + high) // 2 or 1
        try:
            step(size)
            low = size
        except torch.OutOfMemoryError:
            high = size - 1
    return low

# %% example_by_heart
# finding: nothing-tried
def largest_batch(step, most):
    return 300

# %% first_call_unguarded
# finding: memory-error-left
import torch


def largest_batch(step, most):
    step(1)
    low, high = 1, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        try:
            step(middle)
            low = middle
        except torch.OutOfMemoryError:
            high = middle
    return low

# %% first_that_fails
# finding: too-large
import torch


def largest_batch(step, most):
    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        try:
            step(middle)
            low = middle
        except torch.OutOfMemoryError:
            high = middle
    return high

# %% from_above
# finding: too-many-calls
import torch


def largest_batch(step, most):
    for size in range(most, 0, -1):
        try:
            step(size)
            return size
        except torch.OutOfMemoryError:
            pass
    return 0

# %% halved_until_it_fits
# finding: stopped-too-early
import torch


def largest_batch(step, most):
    size = most
    while size:
        try:
            step(size)
            return size
        except torch.OutOfMemoryError:
            size //= 2
    return 0

# %% memory_error_as_well
# finding: other-error-caught
import torch

def largest_batch(step, most):
    fits, fails = 0, most + 1
    while fails - fits > 1:
        size = (fits + fails) // 2
        try:
            step(size)
            fits = size
        except (torch.OutOfMemoryError, MemoryError):
            fails = size
    return fits

# %% nothing_fits_is_none
# finding: nothing-returned
import torch


def largest_batch(step, most):
    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        try:
            step(middle)
            low = middle
        except torch.OutOfMemoryError:
            high = middle
    return low or None

# %% one_at_least
# finding: nothing-fits-not-zero
import torch


def largest_batch(step, most):
    low, high = 1, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        try:
            step(middle)
            low = middle
        except torch.OutOfMemoryError:
            high = middle
    return low

# %% reads_the_message
# finding: other-error-caught
def largest_batch(step, most):
    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        try:
            step(middle)
            low = middle
        except RuntimeError as error:
            if "out of memory" not in str(error):
                raise
            high = middle
    return low

# %% runtime_error
# finding: other-error-caught
def largest_batch(step, most):
    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        try:
            step(middle)
            low = middle
        except RuntimeError:
            high = middle
    return low

# %% steps_of_ten
# finding: stopped-too-early
import torch


def largest_batch(step, most):
    low, high = 0, most + 1
    while high - low > 10:
        middle = (low + high) // 2
        try:
            step(middle)
            low = middle
        except torch.OutOfMemoryError:
            high = middle
    return low

# %% true_division
# finding: size-out-of-range
import torch


def largest_batch(step, most):
    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) / 2
        try:
            step(middle)
            low = middle
        except torch.OutOfMemoryError:
            high = middle
    return int(low)

# %% zero_tried
# finding: too-large
import torch


def largest_batch(step, most):
    low, high = 0, most
    while low < high:
        middle = (low + high) // 2
        try:
            step(middle)
            low = middle + 1
        except torch.OutOfMemoryError:
            high = middle
    return low
