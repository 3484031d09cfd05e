# happened = "The clock of the student's computer runs a thousand years ahead."
# %% tamper
(folder / "timestamp.txt").write_text("3026-11-02 10:00:00 UTC")
