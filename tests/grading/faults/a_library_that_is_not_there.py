# happened = "A cell imports a library that is not installed."
# flagged = true
# %% before add_on
import seaborn_of_another_name
