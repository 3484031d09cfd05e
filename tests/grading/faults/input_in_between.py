# happened = "A cell asks for input."
# %% before mend_mismatch
name = input("Your name: ")
