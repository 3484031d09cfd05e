# %% [markdown] {"slug": "title"}
# # Assignment 09: Feeding the GPU
#
# Short tasks about the steps before a batch reaches the GPU: why a GPU waits, the settings of a
# loader, errors and random numbers of workers, and copies that overlap with computing. All you need
# is in [lesson 09](../../lessons/09_feeding_the_gpu.ipynb) or in the task itself. The terms are in
# the [glossary](../../lessons/glossary.md). For each task, you write one function. The cell below
# it checks your answer.
#
# - **Checking.** `check(...)` calls your function with its own inputs and shows what it found. Run
#   it as often as you like. Grading repeats the same cases with other values, so a function that
#   solves the task passes there too. The first cell takes some seconds. So do the first check, and
#   those that run programs.
# - **Stuck?** `hint("feeding.starved")` shows a hint, and each further call the next one.
#   `solution("feeding.starved")` shows an explained solution, if your course includes
#   solutions. The buttons below a check do the same. It is normal to fail a few times. `progress()`
#   shows how far you are.
# - **Devices.** The cells run with and without GPUs. If your computer has fewer than four, the
#   course uses virtual GPUs. The first cell prints which GPUs you have. No check measures time on a
#   real clock, so a slow computer changes no result.
# - **Your own cells.** Add as many as you like. Do not change the task texts and the cells that
#   call `check`.

# %% {"slug": "setup"}
import torch
from torch.utils.data import DataLoader, Dataset

from course_utils import check, hint, lab, progress, show_run, solution

devices = lab(gpus=4)
