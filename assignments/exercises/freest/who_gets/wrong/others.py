# %% a_dict
# finding: other-form
def who_gets(free, users, startup):
    free, chosen, got = list(free), {}, [None] * len(users)
    events = [(looks, user) for user, (looks, _) in enumerate(users)]
    events += [(looks + startup, user) for user, (looks, _) in enumerate(users)]
    for _, user in sorted(events):
        needs = users[user][1]
        if user not in chosen:
            chosen[user] = free.index(max(free))
        elif free[chosen[user]] >= needs:
            got[user] = chosen[user]
            free[chosen[user]] -= needs
    return dict(enumerate(got))

# %% at_the_end
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

# %% choices
# finding: everybody-gets-memory
def who_gets(free, users, startup):
    free, chosen, got = list(free), {}, [None] * len(users)
    events = [(looks, user) for user, (looks, _) in enumerate(users)]
    events += [(looks + startup, user) for user, (looks, _) in enumerate(users)]
    for _, user in sorted(events):
        needs = users[user][1]
        if user not in chosen:
            chosen[user] = got[user] = free.index(max(free))
        elif free[chosen[user]] >= needs:
            free[chosen[user]] -= needs
    return got

# %% failed_subtracts
# finding: failed-program-holds
def who_gets(free, users, startup):
    free, chosen, got = list(free), {}, [None] * len(users)
    events = [(looks, user) for user, (looks, _) in enumerate(users)]
    events += [(looks + startup, user) for user, (looks, _) in enumerate(users)]
    for _, user in sorted(events):
        needs = users[user][1]
        if user not in chosen:
            chosen[user] = free.index(max(free))
        else:
            if free[chosen[user]] >= needs:
                got[user] = chosen[user]
            free[chosen[user]] -= needs
    return got

# %% in_place
# finding: input-changed
def who_gets(free, users, startup):
    chosen, got = {}, [None] * len(users)
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

# %% last_of_equals
# finding: higher-index
def who_gets(free, users, startup):
    free, chosen, got = list(free), {}, [None] * len(users)
    events = [(looks, user) for user, (looks, _) in enumerate(users)]
    events += [(looks + startup, user) for user, (looks, _) in enumerate(users)]
    for _, user in sorted(events):
        needs = users[user][1]
        if user not in chosen:
            chosen[user] = max(range(len(free)), key=lambda card: (free[card], card))
        elif free[chosen[user]] >= needs:
            got[user] = chosen[user]
            free[chosen[user]] -= needs
    return got

# %% printed
# finding: nothing-returned
def who_gets(free, users, startup):
    free, chosen, got = list(free), {}, [None] * len(users)
    events = [(looks, user) for user, (looks, _) in enumerate(users)]
    events += [(looks + startup, user) for user, (looks, _) in enumerate(users)]
    for _, user in sorted(events):
        needs = users[user][1]
        if user not in chosen:
            chosen[user] = free.index(max(free))
        elif free[chosen[user]] >= needs:
            got[user] = chosen[user]
            free[chosen[user]] -= needs
    print(got)

# %% sorted_result
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

# %% tries_again
# finding: another-card
def who_gets(free, users, startup):
    free, chosen, got = list(free), {}, [None] * len(users)
    events = [(looks, user) for user, (looks, _) in enumerate(users)]
    events += [(looks + startup, user) for user, (looks, _) in enumerate(users)]
    for _, user in sorted(events):
        needs = users[user][1]
        if user not in chosen:
            chosen[user] = free.index(max(free))
        elif free[chosen[user]] >= needs:
            got[user] = chosen[user]
            free[chosen[user]] -= needs
        else:
            best = free.index(max(free))
            if free[best] >= needs:
                got[user] = best
                free[best] -= needs
    return got

# %% users_sorted_in_place
# finding: input-changed
def who_gets(free, users, startup):
    free, chosen, got = list(free), {}, [None] * len(users)
    order = sorted(users)
    users.sort(key=lambda user: -user[0])
    users = order
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

# %% zero_for_none
# finding: other-cards
def who_gets(free, users, startup):
    free, chosen, got = list(free), {}, [-1] * len(users)
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

# %% strictly_more
# finding: exactly-enough-refused
def who_gets(free, users, startup):
    free, chosen, got = list(free), {}, [None] * len(users)
    events = [(looks, user) for user, (looks, _) in enumerate(users)]
    events += [(looks + startup, user) for user, (looks, _) in enumerate(users)]
    for _, user in sorted(events):
        needs = users[user][1]
        if user not in chosen:
            chosen[user] = free.index(max(free))
        elif free[chosen[user]] > needs:
            got[user] = chosen[user]
            free[chosen[user]] -= needs
    return got
