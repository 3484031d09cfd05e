# happened = "A cell of the student's own ends in an error."
# %% before add_on
1 / 0
