def written(path, lines):
    with open(path, "w") as file:
        print(*lines, sep="\n", end="\n" * bool(lines), file=file)
    return sum(1 for _ in lines)
