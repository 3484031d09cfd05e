# %% [markdown] {"slug": "title"}
# # Assignment 10: Saving and loading
#
# Six small tasks about files of weights: what is in them, where it goes when it is loaded, and why
# it sometimes does not fit. All of them come from lesson 10. You write a function for each; the cell
# below it checks what you wrote.
#
# - **Checking.** `check(...)` calls your function with inputs of its own and says what it saw. You
#   may run it as often as you like. More cases of the same kind run at grading, so solve the task
#   rather than the examples.
# - **Being stuck.** `hint("saving.load_anywhere")` gives a hint, and a further one each time.
#   `solution("saving.load_anywhere")` shows a solution with its reasons, where the course comes with
#   them. Failing a few times is how this normally goes.
# - **Devices.** The cells run with and without a GPU. Where there are fewer than four, virtual ones
#   take their place; the first cell says which you have.
# - **Files.** The checks write into temporary folders and clean up after themselves.
# - **Your own cells.** Add as many as you like. Leave the cells that say "check" and the task texts
#   as they are.

# %% {"slug": "setup"}
import torch

from course_utils import check, hint, lab, solution

devices = lab(gpus=4)
