# %% [markdown] {"slug": "title"}
# # Assignment 11: Beyond DataParallel
#
# Short tasks about training in several processes: which device a rank takes, and what is exchanged
# and when. Everything you need is in [lesson 11](../../lessons/11_beyond_data_parallel.ipynb); the
# terms are in the [glossary](../../lessons/glossary.md). For each task you write one function, and
# the cell below it checks what you wrote.
#
# - **Checking.** `check(...)` calls your function with inputs of its own and tells you what it saw.
#   Run it as often as you like. At grading the same cases run again with other values, so a
#   function that solves the task passes there too. Where a task has several ranks, the check plays
#   them one by one in this process.
# - **Stuck?** `hint("ranks.rank_device")` gives a hint, and the next one each time you ask.
#   `solution("ranks.rank_device")` shows an explained solution, where the course comes with them.
#   The buttons under a check do the same. Failing a few times is normal. `progress()` shows how
#   far you are.
# - **Your own cells.** Add as many as you like. Leave the task texts and the cells that call
#   `check` as they are.

# %% {"slug": "setup"}
import torch
from torch import nn

from course_utils import check, hint, lab, progress, solution

devices = lab(gpus=4)
