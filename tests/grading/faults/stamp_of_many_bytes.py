# happened = "The time stamp is a large file of noise."
# says = ["timestamp.txt"]
# %% tamper
(folder / "timestamp.txt").write_bytes(bytes(range(256)) * 4000)
