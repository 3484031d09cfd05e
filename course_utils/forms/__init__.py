"""Forms in a notebook: questions to answer, and figures with sliders.

A form is an output of its cell and contains everything it shows: the question, the answers and the
reply. JupyterLab draws it (course_workspace/labextension), and gets the reply from the kernel by
calling `course_utils.checking.answering.answer`. Front ends without that extension show HTML.
"""
