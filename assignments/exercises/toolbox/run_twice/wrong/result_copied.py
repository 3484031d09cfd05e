# finding: other-calls
def run_twice(step):
    first = step()
    return first, first
