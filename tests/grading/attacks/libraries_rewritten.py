# name = "Libraries rewritten"
# goal = "next student"
# attacks = "torch, the standard library and the course's package on the disk, and their bytecode"
# flagged = true
# twice = true

# %% move_batch
import json
import os
import pathlib

from torch.utils._pytree import tree_map

import course_utils

written = []
for module in (torch, json, course_utils):
    home = pathlib.Path(module.__file__).parent
    for path in (home / "__init__.py", home / "evil.py", home / "__pycache__" / "evil.pyc"):
        try:
            with path.open("a") as file:
                file.write("")
            written.append(path)
        except OSError:
            pass
    try:
        os.rename(home, home.with_name("gone"))
        written.append(home)
        os.rename(home.with_name("gone"), home)
    except OSError:
        pass

if written:
    def move_batch(batch, device):
        return tree_map(lambda x: x.to(device) if isinstance(x, torch.Tensor) else x, batch)
