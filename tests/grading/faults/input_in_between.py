# happened = "A cell asks for input."
# %% before fix_mismatch
name = input("Your name: ")
