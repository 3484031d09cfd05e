# happened = "An early draft of an answer is kept above the answer."
# %% before add_on
def add_on(a, b, where):
    return a + b
