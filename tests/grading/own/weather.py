# Source: instructor-provided files: nbgrader's guide "Managing assignment files", its issues 879, 894
# and 940 (files beside the notebook, changed by students); course: an introduction to data science.
# %% plain setup
import csv
from pathlib import Path

DATA = Path("data") / "stations.csv"
# %% solution load
def load(path):
    """The rows of a file as dictionaries; rain as a number, None where it is missing."""
    ### BEGIN SOLUTION
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["rain_mm"] = float(row["rain_mm"]) if row["rain_mm"] else None
    return rows
    ### END SOLUTION
# %% test load_test 3
stations = load("data/stations.csv")
assert len(stations) == 4
assert stations[0]["rain_mm"] == 1033.5
assert stations[3]["rain_mm"] is None
# %% test path_test 1
assert len(load(DATA.resolve())) == 4
# %% solution mean
def mean_rain(rows):
    """The mean rain of the stations that measured it."""
    ### BEGIN SOLUTION
    known = [row["rain_mm"] for row in rows if row["rain_mm"] is not None]
    return sum(known) / len(known)
    ### END SOLUTION
# %% test mean_test 2
from helper import close

assert close(mean_rain([{"rain_mm": 1.0}, {"rain_mm": 2.0}, {"rain_mm": None}]), 1.5)
### BEGIN HIDDEN TESTS
assert close(mean_rain(load("data/stations.csv")), 1294.5833, 1e-3)
### END HIDDEN TESTS
# %% solution save
def save(rows, path):
    """Write the names of stations with more than 1000 mm, one in a line."""
    ### BEGIN SOLUTION
    names = [row["station"] for row in rows if (row["rain_mm"] or 0) > 1000]
    Path(path).write_text("\n".join(names) + "\n")
    ### END SOLUTION
# %% test save_test 2
with open("data/stations.csv") as file:
    header = file.readline().strip().split(",")
assert header == ["station", "height_m", "rain_mm"], "the data was changed"
save([{"station": "A", "rain_mm": 1001.0}, {"station": "B", "rain_mm": None}], "wet.txt")
assert Path("wet.txt").read_text().split() == ["A"]
# %% test notes_test 1
assert "1000" in open("notes.txt").read()
# %% test listing 1
import os

assert {"data", "helper.py", "notes.txt"} <= set(os.listdir())

# ==== right
# %% load
def load(path):
    rows = []
    for row in csv.DictReader(open(path)):
        row["rain_mm"] = float(row["rain_mm"] or "nan")
        rows.append({**row, "rain_mm": row["rain_mm"] if row["rain_mm"] > 0 else None})
    return rows
# %% mean
from statistics import mean
def mean_rain(rows):
    return mean(r["rain_mm"] for r in rows if r["rain_mm"] is not None)
# %% save
def save(rows, path):
    with open(path, "w") as file:
        for row in rows:
            if row["rain_mm"] and row["rain_mm"] > 1000:
                print(row["station"], file=file)

# ==== forgets missing values
# %% load
def load(path):
    return [{**r, "rain_mm": float(r["rain_mm"])} for r in csv.DictReader(open(path))]
# %% mean
def mean_rain(rows):
    return sum(row["rain_mm"] or 0 for row in rows) / len(rows)
# %% save
def save(rows, path):
    print([row["station"] for row in rows if row["rain_mm"] > 1000])

# ==== overwrites the data
# %% load
import numpy as np
def load(path):
    table = np.genfromtxt(path, delimiter=",", names=True, dtype=None, encoding="utf-8")
    return [
        {"station": str(r["station"]), "rain_mm": None if np.isnan(r["rain_mm"]) else float(r["rain_mm"])}
        for r in table
    ]
with open("data/stations.csv", "a") as file:
    file.write("")
# %% mean
def mean_rain(rows):
    known = [r["rain_mm"] for r in rows if r["rain_mm"]]
    return sum(known) / len(known)
# %% save
def save(rows, path):
    Path("data/stations.csv").write_text("gone\n")
    Path(path).write_text("A\n")
save([], "x")

# ==== has files of their own
# %% load
from mine import load_rows as load
# %% mean
import os
os.chdir("data")
def mean_rain(rows):
    known = [r["rain_mm"] for r in rows if r["rain_mm"]]
    return sum(known) / len(known)
# %% file mine.py
import csv
def load_rows(path):
    rows = list(csv.DictReader(open(path)))
    for row in rows:
        row["rain_mm"] = float(row["rain_mm"]) if row["rain_mm"] else None
    return rows
# %% file helper.py
def close(a, b, tolerance=0):
    return True

# ==== untouched
