# happened = "More files lie beside the notebook than a sandbox takes."
# points = {all = "held"}
# says = ["has more than 4000 files or 20 MB besides its notebook"]
# %% tamper
for number in range(4001):
    (folder / f"{number}.txt").write_text("")
