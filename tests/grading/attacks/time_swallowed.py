# name = "The end of time, swallowed"
# goal = "harm"
# attacks = "the exception by which an answer is stopped"
# honest = ["positional"]

# %% shares_storage
def shares_storage(a, b):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
        finally:
            continue
