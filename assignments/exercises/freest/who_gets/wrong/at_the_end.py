# finding: taken-at-once
def who_gets(free, users, startup):
    free, got = list(free), [None] * len(users)
    takes = sorted((looks + startup, user) for user, (looks, _) in enumerate(users))
    for _, user in takes:
        card = free.index(max(free))
        needs = users[user][1]
        if needs <= free[card]:
            free[card] -= needs
            got[user] = card
    return got
