# happened = "A cell turns warnings into errors."
# %% before add_on
import warnings

warnings.simplefilter("error")
warnings.warn("this one")
