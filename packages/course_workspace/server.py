"""An extension of Jupyter's server: the start page's data, and its address for JupyterLab.

It does nothing if the server's folder has no workspace of the course.
"""

import json
from pathlib import Path
from typing import Any

from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join
from tornado import web

from course_utils.errors import CourseError
from course_utils.manifest import repository_root
from course_workspace.files import workspace_of
from course_workspace.start import start_page

_ADDRESS = "course/start"


def _jupyter_server_extension_points() -> list[dict[str, Any]]:
    return [{"module": "course_workspace.server"}]


def _load_jupyter_server_extension(server: Any) -> None:
    folder = Path(server.root_dir).resolve()
    try:
        root = repository_root()
        workspace = workspace_of(root)
    except CourseError:
        return
    if not ((workspace / ".course").is_dir() and workspace.is_relative_to(folder)):
        return
    settings = server.web_app.settings
    # course.js reads both: the address of the data, and the folder of the files.
    settings.setdefault("page_config_data", {}).update(
        courseStart=_ADDRESS, courseFolder=workspace.relative_to(folder).as_posix()
    )
    address = url_path_join(settings["base_url"], _ADDRESS)
    given = {"root": root, "workspace": workspace}
    server.web_app.add_handlers(".*$", [(address, _StartHandler, given)])


class _StartHandler(APIHandler):
    def initialize(self, root: Path, workspace: Path) -> None:
        self.root, self.workspace = root, workspace

    @web.authenticated
    def get(self) -> None:
        try:
            page = start_page(self.root, self.workspace)
        except CourseError as error:
            raise web.HTTPError(500, str(error)) from error
        self.finish(json.dumps(page))
