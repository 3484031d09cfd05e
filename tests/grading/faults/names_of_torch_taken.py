# happened = "Variables are called torch, devices and lab."
# %% before add_on
torch = "a torch"
devices = []
lab = None
