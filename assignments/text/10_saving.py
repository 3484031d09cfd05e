# %% [markdown] {"slug": "title"}
# # Assignment 10: Saving and loading
#
# Short tasks about files of weights: what they contain, on which device they are loaded, and why
# they sometimes do not fit. Everything you need is in [lesson
# 10](../../lessons/10_saving_and_loading.ipynb) or in the task itself. The terms are in the
# [glossary](../../lessons/glossary.md). For each task, you write one function. The cell below it
# checks your answer.
#
# - **Checking.** `check(...)` calls your function with its own inputs and shows what it found. Run
#   it as often as you like. Grading repeats the same cases with other values, so a function that
#   solves the task passes there too. The first cell takes some seconds. So do the first check, and
#   those that run programs.
# - **Stuck?** `hint("saving.load_anywhere")` shows a hint, and each further call the next one.
#   `solution("saving.load_anywhere")` shows an explained solution, if your course includes
#   solutions. The buttons below a check do the same. It is normal to fail a few times. `progress()`
#   shows how far you are.
# - **Devices.** The cells run with and without GPUs. If your computer has fewer than four, the
#   course uses virtual GPUs. The first cell prints which GPUs you have. The checks write into
#   temporary folders and delete them.
# - **Your own cells.** Add as many as you like. Do not change the task texts and the cells that
#   call `check`.

# %% {"slug": "setup"}
import torch

from course_utils import check, hint, lab, progress, show_run, solution

devices = lab(gpus=4)
