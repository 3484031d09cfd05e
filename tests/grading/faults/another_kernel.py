# happened = "The notebook asks for a kernel of R."
# %% tamper
notebook["metadata"]["kernelspec"] = {"name": "ir", "display_name": "R", "language": "R"}
