# name = "Cell ids that lead elsewhere"
# goal = "harm"
# attacks = "ids and names that become paths or HTML"
# honest = ["move_batch"]
# held_ok = true

# %% tamper
for number, cell in enumerate(notebook["cells"]):
    if "nbgrader" not in cell["metadata"]:
        cell["id"] = f"../../../../escape-{number}"
notebook["cells"][0]["id"] = "<script>alert(1)</script>"
notebook["cells"].append({
    "cell_type": "code", "id": "'; DROP TABLE grade; --", "source": "1", "outputs": [],
    "execution_count": None,
    "metadata": {"nbgrader": {"grade": True, "solution": True, "locked": False, "task": False,
                              "points": 3, "schema_version": 3, "cell_type": "code",
                              "grade_id": "../../../escape'; DROP TABLE grade; --"}},
})
