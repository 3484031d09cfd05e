# finding: taken-at-once
def who_gets(free, users, startup):
    free, got = list(free), [None] * len(users)
    for user in sorted(range(len(users)), key=lambda user: users[user][0]):
        card = free.index(max(free))
        if free[card] >= users[user][1]:
            free[card] -= users[user][1]
            got[user] = card
    return got
