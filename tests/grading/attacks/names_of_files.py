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
