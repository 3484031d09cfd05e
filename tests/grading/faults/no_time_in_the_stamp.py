# happened = "The time stamp is no time."
# says = ["timestamp.txt contains no time"]
# %% tamper
(folder / "timestamp.txt").write_text("yesterday evening, I think")
