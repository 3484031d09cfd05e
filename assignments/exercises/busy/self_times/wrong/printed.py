# finding: nothing-returned
def self_times(calls):
    for name, start, end in calls:
        print(name, end - start)
