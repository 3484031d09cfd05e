# %% [markdown] {"slug": "title"}
# # Assignment 90: Doubling

# %% {"slug": "setup"}
from course_utils import check
