# finding: rounded
def mend_mean(numbers):
    return sum(numbers) // len(numbers) if numbers else None
