# %% [markdown] {"slug": "title"}
# # Assignment 13: Capstone
#
# The last assignment builds one program, step by step: the repaired script of the notes, an epoch
# without needless copies, and at last the whole program. Your functions run with no GPU, with one
# and with several, and are killed in between. Everything you need is in [lesson
# 13](../../lessons/13_capstone.ipynb) and in the lessons that it links to. The terms are in the
# [glossary](../../lessons/glossary.md).
#
# - **Checking.** `check(...)` calls your function with its own inputs and shows what it found. Run
#   it as often as you like. Grading repeats the same cases with other values, so a function that
#   solves the task passes there too.
# - **Stuck?** `hint("capstone.fix_script")` shows a hint, and each further call the next one.
#   `solution("capstone.fix_script")` shows an explained solution, if your course includes
#   solutions. The buttons below a check do the same. It is normal to fail a few times. `progress()`
#   shows how far you are.
# - **Devices.** The cells run with and without GPUs. If your computer has fewer than four, the
#   course uses virtual GPUs. The first cell prints which GPUs you have. Your function sees only
#   some of them in a check. The checks write into temporary folders and delete them.
# - **Your own cells.** Add as many as you like. Do not change the task texts and the cells that
#   call `check`.

# %% {"slug": "setup"}
import torch
from torch import nn

from course_utils import check, hint, lab, progress, solution

devices = lab(gpus=4)
