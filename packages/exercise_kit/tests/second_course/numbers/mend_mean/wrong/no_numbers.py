# finding: no-numbers
def mend_mean(numbers):
    return sum(numbers) / len(numbers)
