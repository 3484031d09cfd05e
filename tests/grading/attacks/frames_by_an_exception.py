# name = "The frames above, by an exception"
# goal = "forge"
# attacks = "the data of a case, by the traceback of an exception"
# forges = ["shares_storage"]
# flagged = true

# %% shares_storage
def shares_storage(a, b):
    try:
        1 / 0
    except ZeroDivisionError as error:
        frame = error.__traceback__.tb_frame.f_back
    while frame is not None:
        case = frame.f_locals.get("case")
        if case is not None:
            steps = [*case.data["a"], *case.data["b"]]
            return not any(step[0] in ("cloned", "copied by to", "moved") or len(step[0]) > 20
                           for step in steps)
        frame = frame.f_back
