# %% [markdown] {"slug": "title"}
# # When it does not fit
#
# *On the Right Device*, lesson 12 · previous lesson: [11, *DDP from
# inside*](11_ddp_from_inside.ipynb) · [Glossary](glossary.md)
