# %% [markdown] {"slug": "title"}
# # Assignment 02: Tensors on devices
#
# Nine small tasks about where tensors live, when they move, what a move costs, and how to time work
# on a GPU. All of them come from lesson 02. You write a function for each; the cell below it checks
# what you wrote.
#
# - **Checking.** `check(...)` calls your function with inputs of its own and says what it saw. You
#   may run it as often as you like. More cases of the same kind run at grading, so solve the task
#   rather than the examples.
# - **Being stuck.** `hint("tensors.move_batch")` gives a hint, and a further one each time.
#   `solution("tensors.move_batch")` shows a solution with its reasons, where the course comes with
#   them. Failing a few times is how this normally goes.
# - **Devices.** The cells run with and without a GPU. Where there are fewer than four, virtual ones
#   take their place; the first cell says which you have.
# - **Your own cells.** Add as many as you like. Leave the cells that say "check" and the task texts
#   as they are.

# %% {"slug": "setup"}
import torch

from course_utils import check, hint, lab, solution

devices = lab(gpus=4)
