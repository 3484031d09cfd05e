# happened = "A cell draws a figure of the size of a house."
# %% before fix_mismatch
import matplotlib.pyplot as plt

plt.figure(figsize=(1000, 1000))
plt.plot([1, 2])
plt.show()
