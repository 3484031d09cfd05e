"""The site in a browser, opened as files: search, the error index, and who can read it."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

READ = ["index", "lessons/02_tensors_on_devices", "lessons/errors", "api/index"]

ENTRIES = "article section section > section, article section section > ul > li"

# the first test waits for the build
pytestmark = [pytest.mark.slow, pytest.mark.more, pytest.mark.timeout(3600)]


@pytest.fixture
def page(browser):
    """A page that fails the test if anything is asked of the network."""
    asked = []
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(120_000)
    page.on("request", lambda request: asked.append(request.url))
    yield page
    page.close()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


def test_the_search_finds_a_message_and_its_cure(site, page):
    page.goto((site / "index.html").as_uri())
    page.get_by_role("textbox", name="Search").fill("Torch not compiled with CUDA enabled")
    page.keyboard.press("Enter")
    first = page.locator("#search-results li a").first
    expect(first).to_have_attribute("href", re.compile("#a-build-of-pytorch-without-cuda$"))
    first.click()
    page.wait_for_url(re.compile(r"lessons/errors\.html.*#a-build-of-pytorch-without-cuda$"))
    expect(page.locator("#a-build-of-pytorch-without-cuda")).to_be_in_viewport()


def test_the_error_index_shows_what_fits(site, page):
    page.goto((site / "lessons/errors.html").as_uri())
    box = page.get_by_role("searchbox", name="A part of your message")
    entries = page.locator(ENTRIES)
    every = entries.count()
    pasted = "RuntimeError: Attempting to deserialize object on CUDA device 7"
    box.fill(pasted)
    expect(entries.filter(has_text="Attempting to deserialize", visible=True)).not_to_have_count(0)
    assert 0 < entries.filter(visible=True).count() < every / 4
    expect(page.get_by_role("status")).to_contain_text(f"of {every} errors")
    box.fill("no such words anywhere")
    expect(entries.filter(visible=True)).to_have_count(0)
    expect(page.get_by_role("status")).to_contain_text("No message matches")
    box.fill("")
    expect(entries.filter(visible=True)).to_have_count(every)


def test_the_error_index_finds_every_message_of_its_own(site, page):
    """Also those that stand in a list, such as `no kernel image is available`."""
    page.goto((site / "lessons/errors.html").as_uri())
    box = page.get_by_role("searchbox", name="A part of your message")
    message = "entry.querySelector('.highlight-text pre, code').innerText"
    messages = page.locator(ENTRIES).evaluate_all(f"all => all.map(entry => {message})")
    assert any("device-side assert" in message for message in messages)
    lost = []
    for number, message in enumerate(messages):
        box.fill(message)
        told = page.get_by_role("status").inner_text()
        if told.startswith("None") or page.locator(ENTRIES).nth(number).is_hidden():
            lost.append(message)
    assert lost == []


def test_an_answer_opens_by_keyboard(site, page):
    page.goto((site / "lessons/03_modules_on_devices.html").as_uri())
    folded = page.locator("details.hide").first
    expect(folded.locator(".cell_output")).to_be_hidden()
    folded.locator("summary").press("Enter")
    expect(folded.locator(".cell_output")).to_be_visible()


def test_the_page_for_paper_opens_every_answer(site, page):
    page.goto((site / "lessons/print.html").as_uri())
    folded = page.locator("details.hide")
    expect(folded.first.locator(".cell_output")).to_be_hidden()
    page.get_by_role("button", name="Open every answer").click()
    expect(page.locator("details.hide:not([open])")).to_have_count(0)


@pytest.mark.parametrize("width", [1366, 1100, 640, 400])
@pytest.mark.parametrize("name", READ)
def test_no_page_scrolls_sideways(site, page, name, width):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto((site / f"{name}.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_in_a_narrow_window_a_picture_keeps_its_letters_and_scrolls(site, page):
    page.set_viewport_size({"width": 400, "height": 800})
    page.goto((site / "lessons/02_tensors_on_devices.html").as_uri())
    drawn = page.locator(".text_html:has(> img)").first
    expect(drawn).to_have_attribute("tabindex", "0")
    assert drawn.locator("img").bounding_box()["width"] > 600


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", READ)
def test_everybody_can_read_it(site, browser, name, scheme):
    page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
    page.goto((site / f"{name}.html").as_uri(), timeout=120_000)
    found = Axe().run(page).response["violations"]
    page.close()
    serious = [
        (each["id"], node["html"][:200], node["failureSummary"][:300])
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]
    assert serious == []
