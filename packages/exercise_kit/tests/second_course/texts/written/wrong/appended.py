# finding: added
def written(path, lines):
    with open(path, "a") as file:
        for line in lines:
            file.write(line + "\n")
    return len(lines)
