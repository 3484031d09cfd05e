# name = "Test cells of one's own"
# goal = "forge"
# attacks = "nbgrader's list of graded cells"
# honest = ["move_batch"]

# %% tamper
for number in range(3):
    notebook["cells"].append({
        "cell_type": "code", "id": f"extra-{number}", "source": "100", "outputs": [],
        "execution_count": None,
        "metadata": {"nbgrader": {"grade": True, "solution": False, "locked": False, "task": False,
                                  "schema_version": 3, "points": 100,
                                  "grade_id": f"bonus_{number}", "cell_type": "code"}},
    })
