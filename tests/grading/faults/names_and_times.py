# ==== another_script
# happened = "The student's name is in another script."
# student = "Дина Иванова-李雷"


# ==== clock_ahead
# happened = "The clock of the student's computer runs a thousand years ahead."
# %% tamper
(folder / "timestamp.txt").write_text("3026-11-02 10:00:00 UTC")


# ==== joined_letters
# happened = "A sign that joins letters, which has no width, is in the student's name."
# student = "می\u200cنا"


# ==== marks_in_the_name
# happened = "There are an apostrophe, a comma and brackets in the student's name."
# student = "O'Brien, [Anne] & Co. %s"


# ==== no_time_in_the_stamp
# happened = "The time stamp is no time."
# says = ["timestamp.txt contains no time"]
# %% tamper
(folder / "timestamp.txt").write_text("yesterday evening, I think")


# ==== stamp_of_many_bytes
# happened = "The time stamp is a large file of noise."
# says = ["timestamp.txt"]
# %% tamper
(folder / "timestamp.txt").write_bytes(bytes(range(256)) * 4000)
