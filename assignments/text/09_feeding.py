# %% [markdown] {"slug": "title"}
# # Assignment 09: Feeding the GPU
#
# Seven small tasks about what happens before a batch reaches the GPU: the settings of a loader, the
# time that workers save, copies that nobody waits for, datasets that can be sent to other
# processes, and their errors. All of them come from lesson 09. You write a function for each; the
# cell below it checks what you wrote.
#
# - **Checking.** `check(...)` calls your function with inputs of its own and says what it saw. You
#   may run it as often as you like. More cases of the same kind run at grading, so solve the task
#   rather than the examples.
# - **Being stuck.** `hint("feeding.check_loader")` gives a hint, and a further one each time.
#   `solution("feeding.check_loader")` shows a solution with its reasons, where the course comes
#   with them. Failing a few times is how this normally goes.
# - **Devices.** The cells run with and without a GPU. Where there are fewer than four, virtual ones
#   take their place; the first cell says which you have. No time is measured: where times matter,
#   they are given.
# - **Your own cells.** Add as many as you like. Leave the cells that say "check" and the task texts
#   as they are.

# %% {"slug": "setup"}
import torch
from torch.utils.data import DataLoader, Dataset

from course_utils import check, hint, lab, solution

devices = lab(gpus=4)
