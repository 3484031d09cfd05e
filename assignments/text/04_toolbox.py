# %% [markdown] {"slug": "title"}
# # Assignment 04: GPU memory
#
# Short tasks about the memory of a GPU. Everything you need is in [lesson
# 04](../../lessons/04_torch_cuda_toolbox.ipynb) or in the task itself. The terms are in the
# [glossary](../../lessons/glossary.md). For each task, you write one function. The cell below it
# checks your answer.
#
# - **Checking.** `check(...)` calls your function with its own inputs and shows what it found. Run
#   it as often as you like. Grading repeats the same cases with other values, so a function that
#   solves the task passes there too.
# - **Stuck?** `hint("toolbox.what_grows")` shows a hint, and each further call the next one.
#   `solution("toolbox.what_grows")` shows an explained solution, if your course includes solutions.
#   The buttons below a check do the same. It is normal to fail a few times. `progress()` shows how
#   far you are.
# - **Devices.** The cells run with and without GPUs. If your computer has fewer than four, the
#   course uses virtual GPUs. The first cell prints which GPUs you have.
# - **Your own cells.** Add as many as you like. Do not change the task texts and the cells that
#   call `check`.

# %% {"slug": "setup"}
import torch
from torch import nn

from course_utils import check, hint, lab, progress, show_run, solution

devices = lab(gpus=4)
