# %% [markdown] {"slug": "title"}
# # Assignment 06: Finding the freest GPU
#
# Three tasks about servers with several users: predict which job gets which GPU, choose GPUs in
# `train.py`, and find the owner of memory. Everything you need is in [lesson
# 06](../../lessons/06_finding_the_freest_gpu.ipynb) or in the task itself. The terms are in the
# [glossary](../../lessons/glossary.md). For each task, you write one function. The cell below it
# checks your answer.
#
# - **Checking.** `check(...)` calls your function with its own inputs and shows what it found. Run
#   it as often as you like. Grading repeats the same cases with other values, so a function that
#   solves the task passes there too.
# - **Stuck?** `hint("freest.who_gets")` shows a hint, and each further call the next one.
#   `solution("freest.who_gets")` shows an explained solution, if your course includes solutions.
#   The buttons below a check do the same. It is normal to fail a few times. `progress()` shows how
#   far you are.
# - **Devices.** The cells run with and without GPUs. If your computer has fewer than four, the
#   course uses virtual GPUs. The first cell prints which GPUs you have.
# - **Your own cells.** Add as many as you like. Do not change the task texts and the cells that
#   call `check`.

# %% {"slug": "setup"}
import os
import subprocess
import sys

import torch

from course_utils import check, hint, lab, progress, solution

devices = lab(gpus=4)
