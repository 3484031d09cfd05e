# happened = "A cell asks for more memory than there is."
# %% before fix_mismatch
much = bytearray(64 << 30)
