"""Conformance: small programs whose observed facts are compared with those of a real GPU.

The programs (``programs/``) need nothing but torch, so that they can be recorded on a bare machine.
Each is run in another process, once per *world*: real CUDA, virtual CUDA, plain CPU fallback code,
FakeTensorMode. What a real GPU answers is, until a recording of one is in ``recordings/``, what
torch's own sources say; every program names its source.
"""
