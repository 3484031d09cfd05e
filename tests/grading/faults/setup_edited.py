# happened = "The student asked for other cards in the first code cell."
# says = ["setup"]
# %% tamper
for cell in notebook["cells"]:
    if cell["id"] == "setup":
        cell["source"] = cell["source"].replace("gpus=4", "gpus=1")
