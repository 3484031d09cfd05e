# %% [markdown] {"slug": "title"}
# # Assignment 09: Feeding the GPU
#
# Short tasks about what happens before a batch reaches the GPU: the settings of a loader, copies
# that overlap with computing, the random numbers of workers, and their errors. Everything you need
# is in [lesson 09](../../lessons/09_feeding_the_gpu.ipynb); the terms are in the
# [glossary](../../lessons/glossary.md). For each task you write one function, and the cell below
# it checks what you wrote.
#
# - **Checking.** `check(...)` calls your function with inputs of its own and tells you what it saw.
#   Run it as often as you like. At grading the same cases run again with other values, so a
#   function that solves the task passes there too.
# - **Stuck?** `hint("feeding.best_settings")` gives a hint, and the next one each time you ask.
#   `solution("feeding.best_settings")` shows an explained solution, where the course comes with
#   them. The buttons under a check do the same. Failing a few times is normal. `progress()` shows
#   how far you are.
# - **Devices.** The cells run with and without GPUs. On a computer with fewer than four, virtual
#   ones take their place; the first cell says which you have. No time is measured on a real clock,
#   so a slow computer changes no result.
# - **Your own cells.** Add as many as you like. Leave the task texts and the cells that call
#   `check` as they are.

# %% {"slug": "setup"}
import torch
from torch.utils.data import DataLoader, Dataset

from course_utils import check, hint, lab, progress, solution

devices = lab(gpus=4)
