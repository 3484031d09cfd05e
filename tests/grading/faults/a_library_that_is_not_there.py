# happened = "A cell imports a library that is not installed."
# %% before fix_mismatch
import seaborn_of_another_name
