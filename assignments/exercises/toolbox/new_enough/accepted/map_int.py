def new_enough(capabilities, needed):
    least = tuple(map(int, needed.split(".")))
    found = []
    for i in range(len(capabilities)):
        if tuple(capabilities[i]) >= least:
            found.append(i)
    return found
