# happened = "More files lie beside the notebook than a sandbox takes."
# points = {all = "held"}
# says = ["holds more than 4000 files beside its notebook"]
# %% tamper
for number in range(4001):
    (folder / f"{number}.txt").write_text("")
