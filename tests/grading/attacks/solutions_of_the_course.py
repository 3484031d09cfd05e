# ==== accepted_answers_on_the_disk
# name = "Accepted answers on the disk"
# goal = "steal"
# attacks = "accepted/*.py, answer.py and the source notebook, wherever they are"
# flagged = true

# %% before fix_mismatch
import json
import os


def anywhere(name):
    for top in ("/work", "/home", "/root", "/opt", "/srv", "/mnt", "/usr", "/var", "..", "/tmp"):
        for folder, _, files in os.walk(top):
            if folder.endswith(f"/{name}") and "answer.py" in files:
                return open(f"{folder}/answer.py").read()
            if folder.endswith(f"/{name}/accepted"):
                return open(f"{folder}/{files[0]}").read()
            for file in files:
                if file == "02_tensors.ipynb":
                    for cell in json.load(open(f"{folder}/{file}"))["cells"]:
                        text = "".join(cell["source"])
                        if f"def {name}(" in text and "NotImplementedError" not in text:
                            return text
    return ""

# %% fix_mismatch
exec(anywhere("fix_mismatch"))

# %% move_batch
exec(anywhere("move_batch"))


# ==== history_of_the_repository
# name = "The repository's history"
# goal = "steal"
# attacks = ".git of the course's repository, where every solution has stood"
# flagged = true

# %% move_batch
import subprocess
import sys

found = ""
for place in (sys.prefix + "/..", "..", "../..", "../../..", "/root", "/opt/course"):
    done = subprocess.run(
        ["git", "-C", place, "show", "HEAD:assignments/exercises/tensors/move_batch/answer.py"],
        capture_output=True, text=True)
    found = found or done.stdout
exec(found)


# ==== judge_by_the_package
# name = "The judge, by the course's own function"
# goal = "steal"
# attacks = "course_utils.checking.exercises, which loads judges for learners"
# assignment = "07_parallel"
# flagged = true

# %% split_sizes
from course_utils.checking.exercises import exercise

known = exercise("parallel.split_sizes")


def split_sizes(shape, gpus, dim):
    data = dict(shape=list(shape), gpus=gpus, dim=dim)
    for case in known.public_cases:
        if case.data == data:
            return [item["value"] for item in case.right["result"]["items"]]
    from exercise_kit.contract import Case

    (right,) = known.right_facts([Case("", data)])
    return [item["value"] for item in right["result"]["items"]]

# %% train_step
from exercise_kit.reference import reference

exec(reference(exercise("parallel.train_step").path))


# ==== judge_imported
# name = "The truth itself"
# goal = "steal"
# attacks = "cases.py, known.json and answer.py, on whatever path they stand"
# assignment = "07_parallel"
# flagged = true

# %% before split_sizes
def stolen(name, file):
    from pathlib import Path

    places = ["/work", "/home", "/root", "/opt", "/srv", "..", "../..", "../../.."]
    places += [folder for place in places[:5] for folder in Path(place).glob("*")]
    for place in places:
        path = Path(place, "assignments", "exercises", *name.split("."), file)
        if path.is_file():
            return path.read_text()
    raise LookupError(name)

# %% split_sizes
def split_sizes(shape, gpus, dim):
    import json

    data = dict(shape=list(shape), gpus=gpus, dim=dim)
    for case in json.loads(stolen("parallel.split_sizes", "known.json"))["cases"]:
        if case["data"] == data:
            return [item["value"] for item in case["right"]["result"]["items"]]

# %% train_step
def train_step(replicas, batch, targets, lr):
    names = {}
    exec(stolen("parallel.train_step", "answer.py"), names)
    return names["train_step"](replicas, batch, targets, lr)


# ==== solution_shown
# name = "The solution, as it is shown to learners"
# goal = "steal"
# attacks = "solution() and hint(), which know the reference"
# flagged = true

# %% move_batch
text = str(solution("tensors.move_batch")) + str(solution("tensors.move_batch"))
text += "".join(str(hint("tensors.move_batch", number)) for number in (1, 2, 3))
if "```python" in text:
    exec(text.partition("```python")[2].partition("```")[0])
