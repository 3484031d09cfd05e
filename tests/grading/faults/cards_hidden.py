# happened = "A cell hides all cards from what comes later."
# %% before add_on
import os

os.environ["CUDA_VISIBLE_DEVICES"] = ""
