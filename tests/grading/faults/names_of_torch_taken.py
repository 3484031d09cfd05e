# happened = "Variables are called torch, devices and lab."
# %% before fix_mismatch
torch = "a torch"
devices = []
lab = None
