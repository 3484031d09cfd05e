# happened = "A cell leaves the notebook."
# flagged = true
# %% before add_on
import sys

exit()
sys.exit(1)
