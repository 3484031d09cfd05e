"""Forms that stand in the notebook: questions to answer, and figures that move.

A form is an output of its cell and holds everything it shows: what is asked, what was answered and
the reply. JupyterLab draws it (course_workspace/labextension), and asks the kernel for the reply by
calling `course_utils.checking.answering.answer`. Front ends without that extension show HTML
instead.
"""
