# name = "Libraries rewritten"
# goal = "next student"
# attacks = "torch, the standard library and the course's package on the disk, and their bytecode"
# flagged = true
# twice = true

# %% positional
import json
import os
import pathlib

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
    def positional(n, d, device):
        position = torch.arange(n, device=device).unsqueeze(1)
        angle = position / 10000 ** (torch.arange(0, d, 2, device=device) / d)
        return torch.stack([angle.sin(), angle.cos()], dim=2).reshape(n, d)
