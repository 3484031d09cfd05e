# happened = "A cell leaves the notebook."
# %% before mend_mismatch
import sys

exit()
sys.exit(1)
