# %% all_or_nothing
# finding: all-or-nothing
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = sorted(enough, key=free.get, reverse=True)
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(ranked[:count]) if len(ranked) >= count else ""
    return planned

# %% choice_filtered
# finding: overruled
def plan_env(env, free, count, least):
    planned = dict(env)
    if free is None:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    chosen = env.get("CUDA_VISIBLE_DEVICES")
    if chosen is not None:
        cards = chosen.split(",")
        if any(card in free for card in cards):
            kept = [card for card in cards if card in enough]
            planned["CUDA_VISIBLE_DEVICES"] = ",".join(kept)
        return planned
    ranked = sorted(enough, key=free.get, reverse=True)
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(ranked[:count])
    return planned

# %% device_order
# finding: other-plan
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = sorted(enough, key=free.get, reverse=True)
    planned["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(ranked[:count])
    return planned

# %% every_card
# finding: count-forgotten
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = sorted(enough, key=free.get, reverse=True)
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(ranked)
    return planned

# %% given_back
# finding: same-dict
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        return env
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = sorted(enough, key=free.get, reverse=True)
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(ranked[:count])
    return planned

# %% in_place
# finding: input-changed
def plan_env(env, free, count, least):
    planned = env
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = sorted(enough, key=free.get, reverse=True)
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(ranked[:count])
    return planned

# %% left_alone
# finding: nothing-fits-ignored
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = sorted(enough, key=free.get, reverse=True)
    if not ranked:
        return planned
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(ranked[:count])
    return planned

# %% minus_one
# finding: minus-one
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = sorted(enough, key=free.get, reverse=True)
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(ranked[:count]) or "-1"
    return planned

# %% more_than_least
# finding: just-enough-refused
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib > least]
    ranked = sorted(enough, key=free.get, reverse=True)
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(ranked[:count])
    return planned

# %% not_free
# finding: no-card-is-unknown
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env or not free:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = sorted(enough, key=free.get, reverse=True)
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(ranked[:count])
    return planned

# %% not_none
# finding: unknown-not-expected
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = sorted(enough, key=free.get, reverse=True)
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(ranked[:count])
    return planned

# %% printed
# finding: nothing-returned
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        print(planned)
        return
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = sorted(enough, key=free.get, reverse=True)
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(ranked[:count])
    print(planned)

# %% sorted_again
# finding: chosen-in-place
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = sorted(enough, key=free.get, reverse=True)
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(uuid for uuid in free if uuid in ranked[:count])
    return planned

# %% sorted_pairs
# finding: ties-by-name
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        return planned
    pairs = sorted(((mib, uuid) for uuid, mib in free.items() if mib >= least), reverse=True)
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(uuid for _, uuid in pairs[:count])
    return planned

# %% turned_round
# finding: ties-reversed
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = sorted(enough, key=free.get)[::-1]
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(ranked[:count])
    return planned

# %% unknown_is_empty
# finding: unknown-hides
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env:
        return planned
    free = free or {}
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = sorted(enough, key=free.get, reverse=True)
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(ranked[:count])
    return planned

# %% unsorted
# finding: order-of-the-machine
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = enough
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(ranked[:count])
    return planned

# %% value_only
# finding: other-form
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = sorted(enough, key=free.get, reverse=True)
    return ",".join(ranked[:count])

# %% variable_only
# finding: only-the-variable
def plan_env(env, free, count, least):
    planned = {}
    if "CUDA_VISIBLE_DEVICES" in env:
        planned["CUDA_VISIBLE_DEVICES"] = env["CUDA_VISIBLE_DEVICES"]
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = sorted(enough, key=free.get, reverse=True)
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(ranked[:count])
    return planned

# %% with_spaces
# finding: spaces
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = sorted(enough, key=free.get, reverse=True)
    planned["CUDA_VISIBLE_DEVICES"] = ", ".join(ranked[:count])
    return planned
