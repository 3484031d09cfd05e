"""What formgrader shows of a submission: nothing in it can act with the instructor's rights."""

from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode
from nbformat.v4 import new_output

from course_grading.report.clean import CellRenderer


class Sanitize(Preprocessor):
    """Texts and outputs become what feedback shows of them: no script, no address, no form.

    As it comes, nbgrader's formgrader puts a student's HTML into the page that enters the grades.
    """

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict
    ) -> tuple[NotebookNode, ResourcesDict]:
        """The notebook with everything rendered that could act in a browser."""
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
                cell.cell_type, cell.source = "markdown", str(renderer.prose(cell.source))
                cell.pop("attachments", None)
        return nb, resources
