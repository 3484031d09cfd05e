# finding: other-result
def self_times(x):
    return x
