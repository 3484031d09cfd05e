# happened = "A cell of the student's own ends in an error."
# %% before mend_mismatch
1 / 0
