# finding: other-result
def time_on_gpu(x):
    return x
