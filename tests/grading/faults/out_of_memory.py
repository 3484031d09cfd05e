# happened = "A cell asks for more memory than there is."
# %% before add_on
much = bytearray(64 << 30)
