# happened = "The cells stand in the reverse order."
# %% tamper
notebook["cells"].reverse()
