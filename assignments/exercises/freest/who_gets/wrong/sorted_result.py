# finding: order-of-the-result
def who_gets(free, users, startup):
    free, chosen, got = list(free), {}, [None] * len(users)
    users = sorted(users)
    events = [(looks, user) for user, (looks, _) in enumerate(users)]
    events += [(looks + startup, user) for user, (looks, _) in enumerate(users)]
    for _, user in sorted(events):
        needs = users[user][1]
        if user not in chosen:
            chosen[user] = free.index(max(free))
        elif free[chosen[user]] >= needs:
            got[user] = chosen[user]
            free[chosen[user]] -= needs
    return got
