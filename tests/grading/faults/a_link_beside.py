# happened = "A link to the gradebook lies beside the notebook."
# points = {all = "held"}
# says = ["is a link: ask for the file itself"]
# %% tamper
(folder / "data.db").symlink_to(folder.parents[2] / "gradebook.db")
