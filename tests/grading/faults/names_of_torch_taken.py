# happened = "Variables are called torch, devices and lab."
# %% before mend_mismatch
torch = "a torch"
devices = []
lab = None
