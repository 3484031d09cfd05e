# happened = "A cell hides all cards from what comes later."
# %% before fix_mismatch
import os

os.environ["CUDA_VISIBLE_DEVICES"] = ""
