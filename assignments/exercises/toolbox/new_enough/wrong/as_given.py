# finding: compared-as-text
def new_enough(capabilities, needed):
    found = []
    for index, (major, minor) in enumerate(capabilities):
        if f"{major}.{minor}" >= needed:
            found.append(index)
    return found
