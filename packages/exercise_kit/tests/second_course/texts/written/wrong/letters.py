# finding: other-result
def written(path, lines):
    with open(path, "w") as file:
        return sum(file.write(line + "\n") for line in lines)
