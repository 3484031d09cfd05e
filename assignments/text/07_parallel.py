# %% [markdown] {"slug": "title"}
# # Assignment 07: DataParallel
#
# Seven small tasks about one module on several GPUs: what working together costs, how a batch is
# split, when the wrapper refuses, what it does inside, and what it changes about your module. All
# of them come from lesson 07. You write a function for each; the cell below it checks what you
# wrote.
#
# - **Checking.** `check(...)` calls your function with inputs of its own and says what it saw. You
#   may run it as often as you like. More cases of the same kind run at grading, so solve the task
#   rather than the examples.
# - **Being stuck.** `hint("parallel.finish_time")` gives a hint, and a further one each time.
#   `solution("parallel.finish_time")` shows a solution with its reasons, where the course comes
#   with them. Failing a few times is how this normally goes.
# - **Devices.** The cells run with and without a GPU. Where there are fewer than four, virtual ones
#   take their place; the first cell says which you have.
# - **Your own cells.** Add as many as you like. Leave the cells that say "check" and the task texts
#   as they are.

# %% {"slug": "setup"}
import torch
from torch import nn

from course_utils import check, hint, lab, solution

devices = lab(gpus=4)
