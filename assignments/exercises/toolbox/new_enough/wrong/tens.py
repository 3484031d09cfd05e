# finding: compared-as-decimals
def new_enough(capabilities, needed):
    major, minor = map(int, needed.split("."))
    return [i for i, (a, b) in enumerate(capabilities) if 10 * a + b >= 10 * major + minor]
