# name = "Metadata of other types"
# goal = "harm"
# attacks = "every place that expects an object, a list or a string"
# honest = ["move_batch"]
# held_ok = true

# %% tamper
others = [None, 7, [], "text", {"nbgrader": []}, {"nbgrader": {"grade_id": {"a": 1}}},
          {"nbgrader": {"grade": "yes", "grade_id": ["move_batch"]}}]
for number, other in enumerate(others):
    notebook["cells"].append({"cell_type": "code", "id": f"odd{number}", "metadata": other,
                              "source": ["a = 1\n", "b"], "outputs": [], "execution_count": None})
notebook["cells"].append({"cell_type": "code"})
notebook["cells"].append({"cell_type": "nothing", "metadata": {}, "source": {"a": 1}})
