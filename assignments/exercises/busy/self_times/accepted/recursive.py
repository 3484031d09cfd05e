def self_times(calls):
    own = {name: 0 for name, _, _ in calls}
    waiting = sorted(calls, key=lambda call: (call[1], -call[2]))

    def take():
        name, start, end = waiting.pop(0)
        inside = 0
        while waiting and waiting[0][1] < end:
            inside += take()
        own[name] += end - start - inside
        return end - start

    while waiting:
        take()
    return own
