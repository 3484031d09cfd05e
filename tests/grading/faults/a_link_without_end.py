# happened = "A link to an endless device lies beside the notebook."
# points = {all = "held"}
# says = ["is a link: ask for the file itself"]
# %% tamper
(folder / "data.bin").symlink_to("/dev/zero")
