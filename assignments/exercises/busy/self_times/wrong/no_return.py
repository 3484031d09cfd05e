# finding: nothing-returned
def self_times(x):
    2 * x
