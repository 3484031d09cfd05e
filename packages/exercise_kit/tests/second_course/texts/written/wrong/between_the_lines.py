# finding: other-content
def written(path, lines):
    with open(path, "w") as file:
        file.write("\n".join(lines))
    return len(lines)
