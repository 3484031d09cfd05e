def written(path, lines):
    """Write the lines, and return how many there are."""
    ### BEGIN SOLUTION
    with open(path, "w") as file:
        for line in lines:
            file.write(line + "\n")
    return len(lines)
    ### END SOLUTION


# %% try
# written("notes.txt", ["one", "two"])
