"""A submission for formgrader, without content that could act with the instructor's rights."""

from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode
from nbformat.v4 import new_output

from course_grading.report.clean import CellRenderer


class Sanitize(Preprocessor):
    """Renders texts and outputs as on the feedback page: without scripts, addresses and forms.

    Without this step, formgrader puts a student's HTML into the page that enters the grades.
    """

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict
    ) -> tuple[NotebookNode, ResourcesDict]:
        """The notebook, with everything rendered that could act in a browser."""
        renderer = CellRenderer()
        for cell in nb.cells:
            nbgrader = cell.metadata.get("nbgrader")
            cell.metadata = NotebookNode({} if nbgrader is None else {"nbgrader": nbgrader})
            if cell.cell_type == "code":
                cell.outputs = [
                    new_output("display_data", data={"text/html": str(shown)})
                    for shown in renderer.outputs(cell.outputs)
                ]
            else:
                shown = [renderer.prose(cell.source), *renderer.attached(cell)]
                cell.cell_type, cell.source = "markdown", "\n\n".join(shown)
                cell.pop("attachments", None)
        return nb, resources
