# happened = "A cell of the student's own ends in an error."
# %% before fix_mismatch
1 / 0
