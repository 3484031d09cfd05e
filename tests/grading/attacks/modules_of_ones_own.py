# name = "Modules of one's own"
# goal = "forge"
# attacks = "torch.py, course_utils/, exercises/ and sitecustomize.py beside the notebook"
# honest = ["move_batch"]

# %% tamper
for name in ("torch", "json", "socket", "random", "typing", "sitecustomize", "usercustomize"):
    (folder / f"{name}.py").write_text("raise SystemExit('mine')\n")
for package in ("course_utils", "exercises", "IPython", "virtual_cuda", "numpy"):
    (folder / package).mkdir()
    (folder / package / "__init__.py").write_text(
        "def check(name, answer, **options):\n    return 5\n\n\nlab = hint = check\n")
(folder / "conftest.py").write_text("raise SystemExit\n")
(folder / "easy.pth").write_text("import os; os._exit(0)\n")
(folder / "pyvenv.cfg").write_text("home = .\n")

# %% end
import socket
