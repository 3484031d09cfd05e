# Source: nbgrader's guide and issues 197 and 1070 on grading plots, plotchecker, and the assignments of
# Earth-science courses: a figure kept in a variable and looked at, another judged by a person.
# %% plain setup
import matplotlib.pyplot as plt
import numpy as np

years = np.arange(2000, 2010)
rain = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3])
# %% solution line
# Plot rain over years as a line. Label both axes. Keep the axes in `ax`.
### BEGIN SOLUTION
fig, ax = plt.subplots()
ax.plot(years, rain)
ax.set(xlabel="year", ylabel="rain in mm", title="Rain")
### END SOLUTION
# %% test line_data 2
(line,) = ax.get_lines()
np.testing.assert_array_equal(line.get_xdata(), years)
np.testing.assert_array_equal(line.get_ydata(), rain)
# %% test line_labels 3
points = 0
points += bool(ax.get_xlabel())
points += bool(ax.get_ylabel())
points += "rain" in ax.get_title().lower()
points
# %% test current_axes 1
assert len(plt.gcf().axes) == 0, "figures are closed after each cell"
# %% test scatter_again 2
again = plt.figure()
plt.scatter(ax.get_lines()[0].get_xdata(), rain)
assert len(plt.gca().collections) == 1
plt.show()
# %% test as_a_picture 1
from io import BytesIO

file = BytesIO()
ax.figure.savefig(file, format="png")
assert file.getvalue()[:4] == b"\x89PNG"
# %% test figure_last 1
ax.figure
# %% manual bars 4
# Draw a bar chart of your own choice.
### BEGIN SOLUTION
plt.bar(years, rain)
### END SOLUTION
# %% manual words 2 [markdown]
# What do you see in your chart?

# ==== right
# %% line
figure = plt.figure()
ax = figure.add_subplot()
ax.plot(years, rain, "o-")
ax.set_xlabel("Year")
ax.set_ylabel("mm")
plt.title("Rain in ten years")
plt.show()
# %% bars
plt.bar(years, rain, color="green")
plt.xlabel("year")
# %% words [markdown]
# It rained most in 2005.

# ==== no labels
# %% line
fig, ax = plt.subplots()
plt.plot(years, rain)
# %% bars
fig, ax = plt.subplots()
ax.bar(["a", "b"], [1, 2])

# ==== swapped
# %% line
plt.plot(rain, years)
plt.xlabel("rain")
ax = plt.gca()
# %% words [markdown]
# See the picture. ![drawn](attachment:picture.png)
# %% words [markdown] attached
# See the picture. ![drawn](attachment:picture.png)

# ==== no figure
# %% line
print("I do not know how")
# %% bars
# nothing

# ==== untouched
