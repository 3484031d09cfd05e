"""The accessibility of the course's elements, by axe-core in a real JupyterLab: light, dark, 200 %.

Only the elements in OURS are checked: the start page, its button, and the outputs of cells. The
shell, editors and notebooks are JupyterLab's own, and are left out.
"""

from axe_playwright_python.sync_playwright import Axe
from in_browser import take_picture
from playwright.sync_api import Page

OURS = [".course-start", "[data-command='on-the-right-device:start']", ".jp-OutputArea-output"]
LOOKS = {
    "light": ("JupyterLab Light", {"width": 1280, "height": 900}),
    "dark": ("JupyterLab Dark", {"width": 1280, "height": 900}),
    "200 %": ("JupyterLab Light", {"width": 640, "height": 450}),  # as 1280 x 900, zoomed
}


def draw_all(page: Page) -> None:
    page.evaluate(
        "() => { const { content } = window.jupyterapp.shell.currentWidget;"
        " content.notebookConfig = { ...content.notebookConfig, windowingMode: 'none' }}"
    )


def judge(page: Page, screen: str) -> None:
    """Fail if axe finds a problem, a picture has no text, or an element is cut off."""
    found = []
    for look, (theme, size) in LOOKS.items():
        page.set_viewport_size(size)
        page.evaluate(
            "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme
        )
        page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")
        # JupyterLab's splash would hide the colours below it from axe
        page.locator("#jupyterlab-splash").wait_for(state="detached")
        take_picture(page, f"{screen}, {look}")
        # JupyterLab's body has no height and hides overflow: axe would treat all text as hidden
        page.add_style_tag(content="body { height: 100vh }")
        there = [[ours] for ours in OURS if page.locator(ours).count()]
        result = Axe().run(page, context={"include": there})
        judged = {each["id"] for each in result.response["passes"]}
        # at 200 % the text may be outside the window; its colours are those of the light theme
        assert "color-contrast" in judged or look == "200 %", "axe saw no text"
        found += [
            (look, each["impact"], each["id"], node["html"][:150], node["failureSummary"])
            for each in result.response["violations"]
            for node in each["nodes"]
        ]
        found += [
            (look, "wider than its panel", html)
            for html in page.evaluate(
                "ours => [...document.querySelectorAll(ours)]"
                ".filter(node => node.scrollWidth > node.clientWidth + 1)"
                ".map(node => node.outerHTML.slice(0, 150))",
                ", ".join(OURS),
            )
        ]
    found += [
        ("no words", html)
        for html in page.evaluate(
            "[...document.querySelectorAll('.jp-OutputArea-output img')]"
            ".filter(image => image.alt.length < 20).map(image => image.outerHTML.slice(0, 150))"
        )
    ]
    assert not found, "\n".join(map(str, found))
