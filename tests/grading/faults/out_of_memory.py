# happened = "A cell asks for more memory than there is."
# %% before mend_mismatch
much = bytearray(64 << 30)
