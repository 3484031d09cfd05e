# happened = "A cell makes a lab of one card in the middle."
# %% before fix_mismatch
from course_utils import lab

lab(gpus=1)
