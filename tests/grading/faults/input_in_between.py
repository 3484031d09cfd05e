# happened = "A cell asks for input."
# %% before add_on
name = input("Your name: ")
