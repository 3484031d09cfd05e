# happened = "A link to the gradebook lies beside the notebook."
# points = {all = "held"}
# says = ["is a link or a special file"]
# %% tamper
(folder / "data.db").symlink_to(folder.parents[2] / "gradebook.db")
