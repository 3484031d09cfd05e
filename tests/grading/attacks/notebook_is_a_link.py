# name = "The notebook is a link to another student's"
# goal = "steal"
# attacks = "whose notebook it is that is read"

# %% tamper
link = "../../ada/02_tensors/02_tensors.ipynb"
