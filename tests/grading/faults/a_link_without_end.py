# happened = "A link to an endless device lies beside the notebook."
# points = {all = "held"}
# says = ["is a link or a special file"]
# %% tamper
(folder / "data.bin").symlink_to("/dev/zero")
