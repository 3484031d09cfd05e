# happened = "A cell turns warnings into errors."
# %% before fix_mismatch
import warnings

warnings.simplefilter("error")
warnings.warn("this one")
