# finding: rounded
def fix_mean(numbers):
    return sum(numbers) // len(numbers) if numbers else None
