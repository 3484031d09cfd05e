# finding: no-numbers
def fix_mean(numbers):
    return sum(numbers) / len(numbers)
