# ==== byte_order_mark
# happened = "An editor put a byte order mark first and ended lines as Windows does."
# %% tamper
import json

raw = b"\xef\xbb\xbf" + json.dumps(notebook, indent=1).replace("\n", "\r\n").encode()


# ==== conflict_markers
# happened = "Git's marks of a conflict stand in the file."
# points = {all = "held"}
# says = ["is not a notebook"]
# %% tamper
import json

text = json.dumps(notebook, indent=1)
lines = text.split("\n")
lines[3:3] = ["<<<<<<< HEAD", "=======", ">>>>>>> mine"]
raw = "\n".join(lines).encode()


# ==== cut_off
# happened = "The upload broke off in the middle of the file."
# points = {all = "held"}
# says = ["is not a notebook, or only a part of one"]
# %% tamper
import json

raw = json.dumps(notebook).encode()[:4000]


# ==== format_3
# happened = "A very old Jupyter saved it as nbformat 3."
# %% tamper
import nbformat

raw = nbformat.writes(nbformat.convert(nbformat.from_dict(notebook), 3), version=3).encode()


# ==== format_of_the_future
# happened = "Its format is one that does not exist yet."
# points = {all = "held"}
# says = ["not a notebook of a known version"]
# %% tamper
notebook["nbformat"] = 9


# ==== larger_than_all
# happened = "A loop printed thirty megabytes into the notebook."
# points = {all = "held"}
# says = ["is larger than 20 MB"]
# %% tamper
text = "many lines\n" * 2_800_000
notebook["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": text}]


# ==== latin_1
# happened = "A tool wrote a note with an umlaut as Latin-1."
# points = {all = "held"}
# says = ["is not in UTF-8"]
# %% tamper
import json

notebook["cells"][0]["source"] = "Lösung von Jörg"
raw = json.dumps(notebook, ensure_ascii=False).encode("latin-1", "replace")


# ==== nested_without_end
# happened = "The file is a hundred thousand brackets."
# points = {all = "held"}
# says = ["nested too deeply"]
# %% tamper
raw = b"[" * 100_000 + b"]" * 100_000


# ==== nothing_in_it
# happened = "The file has no bytes."
# points = {all = "held"}
# says = ["is empty"]
# %% tamper
raw = b""


# ==== outputs_of_many_megabytes
# happened = "A loop printed fifteen megabytes into the notebook."
# %% tamper
text = "many lines\n" * 1_400_000
(cell,) = (each for each in notebook["cells"] if each["id"] == "move_batch_try")
cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": text}]


# ==== signs_of_all_kinds
# happened = "Names and comments are in other scripts, and lines end as on old Macs."
# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    gerät = weight.device  # 设备 🚀

    def 移(物):
        return 物.to(gerät)

    mitte, fehler = 移(mean), []
    for batch, target in zip(batches, targets):
        差 = (移(batch) - mitte) @ weight - 移(target)
        fehler.append((差 * 差).mean())
    return sum(fehler) / len(fehler)

# %% tamper
for cell in notebook["cells"]:
    cell["source"] = cell["source"].replace("\n", "\r")


# ==== utf_16
# happened = "An editor saved the file as UTF-16."
# %% tamper
import json

raw = json.dumps(notebook, ensure_ascii=False).encode("utf-16")


# ==== zeros_in_it
# happened = "A disk that failed left a file of zero bytes."
# points = {all = "held"}
# says = ["is empty"]
# %% tamper
raw = bytes(5000)
