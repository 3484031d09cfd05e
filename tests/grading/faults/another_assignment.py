# happened = "The notebook of another assignment was handed in."
# points = {all = "held"}
# says = ["fix_mismatch could not be matched", "or another notebook: ask for the right one"]
# %% tamper
from courses import filled_in, references

notebook = filled_in("03_modules", references("03_modules"))
