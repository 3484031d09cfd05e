def who_gets(free, users, startup):
    taken = []  # (when, card, MiB), in the order of time

    def left_at(now):
        left = list(free)
        for when, card, mib in taken:
            if when < now:
                left[card] -= mib
        return left

    result = [None] * len(users)
    for user in sorted(range(len(users)), key=lambda user: users[user][0]):
        looks, needs = users[user]
        seen = left_at(looks)
        card = seen.index(max(seen))
        if left_at(looks + startup)[card] >= needs:
            taken.append((looks + startup, card, needs))
            result[user] = card
    return result
