# happened = "A cell makes a lab of one card in the middle."
# %% before add_on
from course_utils import lab

lab(gpus=1)
