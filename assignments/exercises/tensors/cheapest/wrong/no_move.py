# finding: devices-mixed
def cheapest(a, b):
    return a + b
