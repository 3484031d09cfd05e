# %% a_pair
# finding: other-form
def elapsed(program, start, end):
    now, free, passed = 0, {}, {}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max(now, passed[rest[0]])
        else:
            stream, what = rest
            ready = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] = ready + what
            elif step == "record":
                passed[what] = ready
            else:
                free[stream] = max(ready, passed[what])
    return passed[start], passed[end]

# %% before_it_is_queued
# finding: idle-time-left-out
def elapsed(program, start, end):
    now, free, passed = 0, {}, {}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max(now, passed[rest[0]])
        else:
            stream, what = rest
            ready = free.get(stream, 0)
            if step == "run":
                free[stream] = ready + what
            elif step == "record":
                passed[what] = ready
            else:
                free[stream] = max(ready, passed[what])
    return passed[end] - passed[start]

# %% device_synchronized
# finding: waits-too-long
def elapsed(program, start, end):
    now, free, passed = 0, {}, {}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max([now, *free.values()])
        else:
            stream, what = rest
            ready = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] = ready + what
            elif step == "record":
                passed[what] = ready
            else:
                free[stream] = max(ready, passed[what])
    return passed[end] - passed[start]

# %% from_the_beginning
# finding: from-the-beginning
def elapsed(program, start, end):
    now, free, passed = 0, {}, {}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max(now, passed[rest[0]])
        else:
            stream, what = rest
            ready = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] = ready + what
            elif step == "record":
                passed[what] = ready
            else:
                free[stream] = max(ready, passed[what])
    return passed[end]

# %% host_set_back
# finding: time-set-back
def elapsed(program, start, end):
    now, free, passed = 0, {}, {}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = passed[rest[0]]
        else:
            stream, what = rest
            ready = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] = ready + what
            elif step == "record":
                passed[what] = ready
            else:
                free[stream] = max(ready, passed[what])
    return passed[end] - passed[start]

# %% host_waits
# finding: wait-holds-the-host
def elapsed(program, start, end):
    now, free, passed = 0, {}, {}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max(now, passed[rest[0]])
        else:
            stream, what = rest
            ready = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] = ready + what
            elif step == "record":
                passed[what] = ready
            else:
                free[stream] = now = max(ready, passed[what])
    return passed[end] - passed[start]

# %% kernels_of_one_stream
# finding: idle-time-left-out
def elapsed(program, start, end):
    (stream,) = [step[1] for step in program if step[0] == "record" and step[2] == end]
    total, counting = 0, False
    for step, *rest in program:
        if step == "record" and rest[1] in (start, end):
            counting = not counting
        elif step == "run" and rest[0] == stream and counting:
            total += rest[1]
    return total

# %% marks_do_not_wait
# finding: wait-ignored
def elapsed(program, start, end):
    now, free, passed, held = 0, {}, {}, {}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max(now, passed[rest[0]])
        else:
            stream, what = rest
            ready = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] = max(ready, held.get(stream, 0)) + what
            elif step == "record":
                passed[what] = ready
            else:
                held[stream] = max(held.get(stream, 0), passed[what])
    return passed[end] - passed[start]

# %% marks_take_time
# finding: other-time
def elapsed(program, start, end):
    now, free, passed = 0, {}, {}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max(now, passed[rest[0]])
        else:
            stream, what = rest
            ready = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] = ready + what
            elif step == "record":
                passed[what] = free[stream] = ready + 1
            else:
                free[stream] = max(ready, passed[what])
    return passed[end] - passed[start]

# %% program_emptied
# finding: input-changed
def elapsed(program, start, end):
    now, free, passed = 0, {}, {}
    while program:
        step, *rest = program.pop(0)
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max(now, passed[rest[0]])
        else:
            stream, what = rest
            free[stream] = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] += what
            elif step == "record":
                passed[what] = free[stream]
            else:
                free[stream] = max(free[stream], passed[what])
    return passed[end] - passed[start]

# %% record_waits
# finding: host-blocked
def elapsed(program, start, end):
    now, free, passed = 0, {}, {}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max(now, passed[rest[0]])
        else:
            stream, what = rest
            ready = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] = ready + what
            elif step == "record":
                passed[what] = now = ready
            else:
                free[stream] = max(ready, passed[what])
    return passed[end] - passed[start]

# %% seconds
# finding: other-unit
def elapsed(program, start, end):
    now, free, passed = 0, {}, {}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max(now, passed[rest[0]])
        else:
            stream, what = rest
            ready = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] = ready + what
            elif step == "record":
                passed[what] = ready
            else:
                free[stream] = max(ready, passed[what])
    return (passed[end] - passed[start]) / 1000

# %% sleep_ignored
# finding: idle-time-left-out
def elapsed(program, start, end):
    now, free, passed = 0, {}, {}
    for step, *rest in program:
        if step == "sleep":
            pass
        elif step == "synchronize":
            now = max(now, passed[rest[0]])
        else:
            stream, what = rest
            ready = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] = ready + what
            elif step == "record":
                passed[what] = ready
            else:
                free[stream] = max(ready, passed[what])
    return passed[end] - passed[start]

# %% streams_meet
# finding: wait-holds-both
def elapsed(program, start, end):
    now, free, passed, home = 0, {}, {}, {}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max(now, passed[rest[0]])
        else:
            stream, what = rest
            free[stream] = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] += what
            elif step == "record":
                passed[what], home[what] = free[stream], stream
            else:
                free[home[what]] = max(free[home[what]], free[stream])
                free[stream] = max(free[stream], passed[what])
    return passed[end] - passed[start]

# %% streams_set_back
# finding: time-set-back
def elapsed(program, start, end):
    now, free, passed = 0, {}, {}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max(now, passed[rest[0]])
        else:
            stream, what = rest
            ready = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] = ready + what
            elif step == "record":
                passed[what] = ready
            else:
                free[stream] = passed[what]
    return passed[end] - passed[start]

# %% synchronize_adds
# finding: times-added
def elapsed(program, start, end):
    now, free, passed = 0, {}, {}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now += passed[rest[0]]
        else:
            stream, what = rest
            ready = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] = ready + what
            elif step == "record":
                passed[what] = ready
            else:
                free[stream] = max(ready, passed[what])
    return passed[end] - passed[start]

# %% synchronize_ignored
# finding: synchronize-ignored
def elapsed(program, start, end):
    now, free, passed = 0, {}, {}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            pass
        else:
            stream, what = rest
            ready = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] = ready + what
            elif step == "record":
                passed[what] = ready
            else:
                free[stream] = max(ready, passed[what])
    return passed[end] - passed[start]

# %% turned_round
# finding: other-time
def elapsed(program, start, end):
    now, free, passed = 0, {}, {}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max(now, passed[rest[0]])
        else:
            stream, what = rest
            ready = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] = ready + what
            elif step == "record":
                passed[what] = ready
            else:
                free[stream] = max(ready, passed[what])
    return passed[start] - passed[end]

# %% up_to_the_end_mark
# finding: from-the-beginning
def elapsed(program, start, end):
    now, free, passed = 0, {}, {start: 0}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max(now, passed[rest[0]])
        else:
            stream, what = rest
            ready = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] = ready + what
            elif step == "record":
                passed[what] = ready
                if what == end:
                    break
            else:
                free[stream] = max(ready, passed[what])
    return passed[end] - passed[start]

# %% wait_adds
# finding: times-added
def elapsed(program, start, end):
    now, free, passed = 0, {}, {}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max(now, passed[rest[0]])
        else:
            stream, what = rest
            ready = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] = ready + what
            elif step == "record":
                passed[what] = ready
            else:
                free[stream] = ready + passed[what]
    return passed[end] - passed[start]

# %% waits_for_the_stream
# finding: waits-too-long
def elapsed(program, start, end):
    now, free, passed, home = 0, {}, {}, {}
    for step, *rest in program:
        if step == "sleep":
            now += rest[0]
        elif step == "synchronize":
            now = max(now, free[home[rest[0]]])
        else:
            stream, what = rest
            free[stream] = max(now, free.get(stream, 0))
            if step == "run":
                free[stream] += what
            elif step == "record":
                passed[what], home[what] = free[stream], stream
            else:
                free[stream] = max(free[stream], free[home[what]])
    return passed[end] - passed[start]
