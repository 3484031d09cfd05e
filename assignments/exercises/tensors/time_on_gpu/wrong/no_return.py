# finding: nothing-returned
def time_on_gpu(x):
    2 * x
