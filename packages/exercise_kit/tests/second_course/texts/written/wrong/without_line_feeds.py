# finding: one-line
def written(path, lines):
    with open(path, "w") as file:
        for line in lines:
            file.write(line)
    return len(lines)
