# happened = "A loop printed thirty megabytes into the notebook."
# points = {all = "held"}
# says = ["is larger than 20 MB"]
# %% tamper
text = "many lines\n" * 2_800_000
notebook["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": text}]
