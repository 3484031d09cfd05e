"""One notebook in two tabs of a browser: the second is told, and nothing is lost without a word."""

import json
from pathlib import Path

import nbformat
import pytest
from in_browser import open_notebook, save, take_picture, wait_until_saved, write_notebook
from playwright.sync_api import APIResponse, Page, Route, expect

pytestmark = pytest.mark.slow

expect.set_options(timeout=60_000)

NOTEBOOK, COPY = "lessons/two_tabs.ipynb", "lessons/mine.ipynb"
CONTEXT = "window.jupyterapp.shell.currentWidget.context"


def notice(page: Page):
    return page.get_by_text("two_tabs.ipynb is also open in another tab of this browser.")


def edit(page: Page, cell: int, text: str) -> None:
    page.evaluate(
        "([cell, text]) => window.jupyterapp.shell.currentWidget.content.widgets[cell]"
        ".model.sharedModel.setSource(text)",
        [cell, text],
    )


def execute(page: Page, command: str) -> None:
    page.evaluate("command => { window.jupyterapp.commands.execute(command); }", command)


def sources(file: Path) -> list[list[str]]:
    return [cell["source"] for cell in json.loads(file.read_text())["cells"]]


@pytest.fixture
def held(page, server, workspace) -> tuple[Route, APIResponse]:
    """A save of a notebook that is under way: its answer is held back, and to be fulfilled."""
    write_notebook(workspace / NOTEBOOK, [nbformat.v4.new_code_cell("x = 0")])
    open_notebook(page, server, NOTEBOOK)
    save(page)
    held: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        if held or route.request.method != "PUT":
            route.continue_()
        else:
            held.append((route, route.fetch()))

    page.route(f"**/api/contents/{NOTEBOOK}*", hold)
    page.wait_for_timeout(1000)  # a file that is hardly newer counts as the same
    edit(page, 0, "x = 1")
    page.evaluate(f"window.saves = [{CONTEXT}.save()]; null")
    while not held:
        page.wait_for_timeout(50)
    return held[0]


def test_a_save_that_is_asked_for_waits_for_one_under_way(page, held, workspace):
    """Else it finds the file changed, and asks."""
    page.evaluate(f"window.saves.push({CONTEXT}.save()); null")
    page.wait_for_timeout(1000)  # in which it would ask
    route, response = held
    route.fulfill(response=response)
    page.evaluate("Promise.all(window.saves).then(() => { window.saved = true; }); null")
    page.wait_for_function("window.saved")
    assert page.locator(".jp-Dialog").count() == 0
    assert sources(workspace / NOTEBOOK) == [["x = 1"]]


def test_what_changes_during_a_save_is_saved_by_itself(page, held, workspace):
    edit(page, 0, "x = 2")
    route, response = held
    route.fulfill(response=response)
    wait_until_saved(page, workspace / NOTEBOOK)
    assert sources(workspace / NOTEBOOK) == [["x = 2"]]


def test_the_second_tab_is_told_and_both_versions_can_be_kept(page, server, workspace):
    file = write_notebook(
        workspace / NOTEBOOK,
        [nbformat.v4.new_code_cell("x = 0"), nbformat.v4.new_code_cell("y = 0")],
    )
    open_notebook(page, server, NOTEBOOK)
    page.reload()  # the same tab once more is no second one
    page.wait_for_function("() => window.jupyterapp?.shell.currentWidget?.context?.isReady")
    with page.expect_popup() as popup:
        page.evaluate("() => { window.open(location.href); }")
    second = popup.value
    second.set_default_timeout(60_000)
    second.wait_for_function("() => window.jupyterapp?.shell.currentWidget?.context?.isReady")
    expect(notice(second)).to_have_count(1)
    take_picture(second, "two_tabs_notice")
    assert notice(page).count() == 0

    page.bring_to_front()
    edit(page, 0, "x = 'first'")
    execute(page, "docmanager:save")
    wait_until_saved(page, file)
    second.bring_to_front()
    edit(second, 1, "y = 'second'")
    execute(second, "docmanager:save")
    dialog = second.locator(".jp-Dialog")
    expect(dialog).to_contain_text("has changed on disk")
    take_picture(second, "two_tabs_conflict")
    dialog.get_by_role("button", name="Cancel").click()
    execute(second, "docmanager:save-as")
    dialog.get_by_role("textbox").fill(COPY)
    dialog.get_by_role("button", name="Save").click()
    expect(second.get_by_role("tab", name="mine.ipynb")).to_have_count(1)
    assert sources(workspace / COPY) == [["x = 0"], ["y = 'second'"]]
    assert sources(file) == [["x = 'first'"], ["y = 0"]]
