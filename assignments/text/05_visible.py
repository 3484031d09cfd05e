# %% [markdown] {"slug": "title"}
# # Assignment 05: Physical and logical GPUs
#
# Seven small tasks about the cards that a process sees: which ones, in which order, from when on,
# and what the errors say if one is missing. All of them come from lesson 05. You write a function
# for each; the cell below it checks what you wrote.
#
# - **Checking.** `check(...)` calls your function with inputs of its own and says what it saw. You
#   may run it as often as you like. More cases of the same kind run at grading, so solve the task
#   rather than the examples.
# - **Being stuck.** `hint("visible.logical_to_physical")` gives a hint, and a further one each
#   time. `solution("visible.logical_to_physical")` shows a solution with its reasons, where the
#   course comes with them. Failing a few times is how this normally goes.
# - **Devices.** None of these tasks uses a GPU: they are about numbers and texts.
# - **Your own cells.** Add as many as you like. Leave the cells that say "check" and the task texts
#   as they are.
#
# In all tasks **the value** is that of the environment variable `CUDA_VISIBLE_DEVICES`: a text, or
# `None` where the variable is not set.

# %% {"slug": "setup"}
import os
import subprocess
import sys

from course_utils import check, hint, solution
