# finding: devices-mixed
def add_on(a, b, where):
    return a + b
