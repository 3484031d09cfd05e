# happened = "A cell turns warnings into errors."
# %% before mend_mismatch
import warnings

warnings.simplefilter("error")
warnings.warn("this one")
