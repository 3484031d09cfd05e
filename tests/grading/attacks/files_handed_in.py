# ==== a_sparse_file
# name = "A file of four gigabytes that takes no room"
# goal = "harm"
# attacks = "disk and memory of whoever copies what was handed in"
# honest = ["move_batch"]
# held_ok = true

# %% tamper
with (folder / "data.bin").open("wb") as file:
    file.truncate(4 << 30)


# ==== a_thousand_levels_deep
# name = "A notebook a hundred thousand levels deep"
# goal = "harm"
# attacks = "the reader of notebooks"
# honest = ["move_batch"]
# held_ok = true

# %% tamper
import json

text = json.dumps(notebook)
deep = "[" * 100_000 + "]" * 100_000
raw = text[:-1] + f', "deep": {deep}' + "}"


# ==== link_to_the_gradebook
# name = "A link to the gradebook"
# goal = "steal"
# attacks = "links beside the notebook, which a copy would follow"
# honest = ["fix_mismatch"]
# held_ok = true
# flagged = false

# %% tamper
(folder / "notes.txt").symlink_to("../../../gradebook.db")
(folder / "data").symlink_to("../../../source")
(folder / "passwd.csv").symlink_to("/etc/passwd")

# %% move_batch
content = ""
for name in ("notes.txt", "passwd.csv", "data/02_tensors/02_tensors.ipynb"):
    try:
        content += open(name, errors="replace").read()
    except OSError:
        pass


def move_batch(batch, device):
    return content


# ==== modules_of_ones_own
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


# ==== names_of_files
# name = "Names of files"
# goal = "harm"
# attacks = "names with line breaks, quotes, HTML, other scripts, and bytes that are no UTF-8"
# honest = ["move_batch"]
# held_ok = true

# %% tamper
import os

for name in ("<img src=x onerror=alert(1)>.txt", "a\nb.txt", "'; rm -rf ~; '.txt", "-rf", "ж–文.txt",
             "\u202egnp.exe", "con", " ", "%s%n{0}{{7*7}}.txt"):
    (folder / name).write_text("x")
with open(os.fsencode(folder) + b"/\xff\xfe.txt", "wb") as file:
    file.write(b"x")
(folder / "timestamp.txt").write_text("2001-01-01 00:00:00 UTC\n<script>")


# ==== notebook_is_a_link
# name = "The notebook is a link to another student's"
# goal = "steal"
# attacks = "whose notebook it is that is read"

# %% tamper
link = "../../ada/02_tensors/02_tensors.ipynb"


# ==== outputs_of_many_megabytes
# name = "Outputs of many megabytes"
# goal = "harm"
# attacks = "memory and time of whoever reads the notebook"
# honest = ["move_batch"]
# held_ok = true

# %% tamper
for cell in notebook["cells"]:
    if cell["cell_type"] == "code":
        cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 900_000}]


# ==== pipes_and_devices
# name = "Pipes and devices beside the notebook"
# goal = "harm"
# attacks = "whoever opens every file that was handed in, and waits for what never comes"
# honest = ["move_batch"]
# held_ok = true

# %% tamper
import os

os.mkfifo(folder / "data.csv")
(folder / "zero").symlink_to("/dev/zero")
