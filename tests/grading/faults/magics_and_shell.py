# happened = "Cells use magics and the shell."
# flagged = true
# %% before fix_mismatch
%matplotlib inline
%load_ext autoreload
!pip list
files = !ls
%timeit -n 1 -r 1 sum(range(10))
