"""The built site in Chromium: both themes, the keyboard, a phone, paper, and the bytes.

The session ``browser`` runs this; ``BROWSER`` names the program, ``build/site`` is what it opens.
"""

import functools
import gzip
import json
import os
import re
import textwrap
import threading
import time
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

SITE = Path("build/site")
AXE = Path(__file__).with_name("node_modules") / "axe-core" / "axe.min.js"

CONTRACTS = [
    f"v1/{name}/"
    for name in (
        *("payload", "flattening", "capability", "event", "extraction", "dialects", "turn"),
        "interfaces",
    )
]
PAGES = [
    *("", "404.html", "adapter/", "adr/", "adr/0114-headers-may-wait/", "changelog/"),
    *("conformance/", "coverage/", "d/", "dialects/"),
    *("dialects/function/", "download/", "fixtures/", "fixtures/v1/extraction/code/"),
    *("formats/", "formats/k2-horizon/", "harness/"),
    *("implementations/", "profiles/", "profiles/vllm/", "r/", "r/EXT-021/", "r/PAY-032/"),
    *("o/", "o/payload.sanitize_history/", "o/extraction.extract/"),
    *("schemas/", "schemas/v1/payload/sanitize_request/", "sources/", "speed/"),
    *("systems/", "systems/ai-sdk/"),
    *("try/", "use/javascript/"),
    *("v1/codes/", "v1/profiles/", "vendoring/", "versioning/", "vocabulary/", *CONTRACTS),
]
"""Every kind of page, and the largest ones."""

THEMES = {"light": "default", "dark": "slate"}
DESK = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}

PAGE_BYTES = 400_000
"""Bytes of a contract page with all that it loads, compressed."""

SITE_BYTES = 12_000_000
"""Bytes of all files but archives, each compressed by itself: what is sent to who reads all."""

ARCHIVES = {".gz", ".tgz", ".whl"}

DISK_BYTES = 90_000_000
"""Bytes of all files as they stand there. Half are the cases, for ports and for people, and each
version brings its archives; a page host takes ten times as much.
"""

SCREENS = 25
"""Screens of a desk that a contract page may have."""

REACHABLE = """() => [...document.querySelectorAll('a[href], button, input, select, summary')]
    .filter((each) => each.checkVisibility({visibilityProperty: true}) && !each.disabled
        && each.tabIndex >= 0 && !each.hidden
        && !each.closest('details:not([open]) > :not(summary)')
        && each.type !== 'radio' && each.type !== 'checkbox')"""
"""What a visitor can use. A checkbox of the theme is a state, and its label what one clicks."""

OPEN = "document.querySelectorAll('details').forEach((fold) => (fold.open = true))"

TINY = """() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    while (texts.nextNode()) {
        const box = texts.currentNode.parentElement, text = texts.currentNode.data.trim();
        const size = parseFloat(getComputedStyle(box).fontSize);
        // A mark in a text is 0 pixels high and shows what stands for it.
        if (text && box.checkVisibility() && box.offsetWidth && 0 < size && size < 11.99)
            found.push(`${size}: ${text.slice(0, 60)}`);
    }
    return found; }"""
"""The texts that are smaller than 12 pixels."""


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Serve the site; return its address."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # A container has no sandbox of its own; the pages are ours.
        yield playwright.chromium.launch(
            executable_path=os.environ["BROWSER"], args=["--no-sandbox"]
        )


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport=DESK, permissions=["clipboard-read", "clipboard-write"])
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def violations(page: Page, rules: str = "{}") -> list[tuple[str, list[str]]]:
    """Return what axe says against a page: rules, and elements that break them."""
    page.add_script_tag(path=AXE)
    found = page.evaluate(f"axe.run({rules})")["violations"]
    return [(each["id"], [node["html"][:120] for node in each["nodes"]]) for each in found]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing(browser: Browser, address: str, path: str, theme: Any) -> None:
    context = browser.new_context(viewport=DESK, color_scheme=theme)
    page = context.new_page()
    page.goto(address + path)
    # The page for what is not there has no theme but that of the browser.
    assert page.get_attribute("body", "data-md-color-scheme") in (THEMES[theme], None)
    page.evaluate(OPEN)
    found = violations(page)
    context.close()
    assert found == []


@pytest.mark.parametrize("path", PAGES)
def test_no_page_asks_another_host_or_has_an_error(page: Page, address: str, path: str) -> None:
    asked: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.goto(address + path, wait_until="networkidle")
    others = [url for url in asked if not url.startswith((address, "data:", "blob:"))]
    assert (others, errors) == ([], [])


@pytest.mark.parametrize("path", PAGES)
def test_on_a_phone_no_page_moves_sideways_and_no_text_is_tiny(
    browser: Browser, address: str, path: str
) -> None:
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    page.goto(address + path)
    page.evaluate(OPEN)
    width, tiny = page.evaluate("document.scrollingElement.scrollWidth"), page.evaluate(TINY)
    context.close()
    assert width <= PHONE["width"]
    assert tiny == []


def test_on_a_phone_the_menu_begins_with_its_groups(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    page.goto(address + "v1/turn/")
    page.locator(".md-header label[for=__drawer]").click()
    page.locator(".md-nav--primary").get_by_role("link", name="Evidence").click()
    page.wait_for_url("**/incidents/")
    context.close()


@pytest.mark.parametrize(
    "path", ["", "r/PAY-032/", "implementations/", "profiles/vllm/", "download/"]
)
def test_tab_reaches_all_that_can_be_used_and_shows_where_it_is(
    page: Page, address: str, path: str
) -> None:
    page.goto(address + path)
    page.evaluate(f"for (const [n, each] of ({REACHABLE})().entries()) each.dataset.reach = n")
    wanted = page.locator("[data-reach]").count()
    reached: set[str] = set()
    hidden: list[str] = []
    for _ in range(2 * wanted + 20):
        page.keyboard.press("Tab")
        number, shows, html = page.evaluate(
            """() => { const at = document.activeElement, style = getComputedStyle(at);
                const shows = [style.outlineStyle, style.boxShadow].some((each) => each !== 'none');
                return [at.dataset.reach, shows || at.matches('input'),
                    at.outerHTML.slice(0, 120)]; }"""
        )
        if number is not None:
            reached.add(number)
            hidden += [] if shows else [html]
    missing = [
        page.locator(f'[data-reach="{n}"]').evaluate("(each) => each.outerHTML.slice(0, 120)")
        for n in map(str, range(wanted))
        if n not in reached
    ]
    assert (missing, hidden) == ([], [])


def test_the_keyboard_searches_and_jumps(page: Page, address: str) -> None:
    page.goto(address)
    page.keyboard.press("/")
    page.keyboard.type("ext-051")
    page.keyboard.press("Enter")
    page.wait_for_url("**/r/EXT-051/")
    page.keyboard.press("/")
    page.keyboard.type("trailing comma")
    page.wait_for_selector(".md-search-result__item a")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/v1/**")


def test_an_anchor_that_stood_here_leads_to_its_page(page: Page, address: str) -> None:
    page.goto(f"{address}v1/extraction/#ext-116")
    page.wait_for_url("**/r/EXT-116/")


def test_the_keyboard_copies(page: Page, address: str) -> None:
    page.goto(address + "r/PAY-032/")
    page.locator(".cc-copy").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("navigator.clipboard.readText().then((text) => text !== '')")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("commoncall:PAY-032 (")


def test_a_case_is_copied_as_its_suite_spells_it(page: Page, address: str) -> None:
    page.goto(address + "r/PAY-032/")
    suite, _, id = str(page.locator(".cc-get").first.get_attribute("href")).partition("#")
    page.get_by_role("button", name="Copy as JSON").first.click()
    page.get_by_text("Copied", exact=True).wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert json.loads(copied)["id"] == id
    held = (SITE / "r/PAY-032" / suite).resolve().read_text("ascii")
    assert textwrap.indent(copied, "    ") in held


def test_the_keyboard_folds(page: Page, address: str) -> None:
    page.goto(address + "systems/")
    fold = page.locator("details.cc-more").first
    fold.locator("summary").focus()
    before = fold.evaluate("(each) => each.open")
    page.keyboard.press("Enter")
    assert fold.evaluate("(each) => each.open") != before


TASKS = {
    "why there is such a thing": ([], "", "What goes wrong"),
    "a refusal of no tools": (["? tools: []"], "use/errors/", "an empty list of tools"),
    "cite that rule": (["? PAY-032"], "r/PAY-032/", "commoncall:PAY-032 ("),
    "the cases of the repairs as JSON": (["? ext-051"], "r/EXT-051/", "JSON"),
    "what changed since 0.1": (
        ["About", "From one version to the next"],
        "migrate/",
        "Two thirds of the 405",
    ),
    "what an endpoint needs": (["? vllm"], "profiles/vllm/", "flags stated"),
    "who conforms": (["Evidence", "Implementations"], "implementations/", "conformant"),
    "the bundle": (["? download"], "download/", ".tar.gz"),
    "the index of the requirements": (["Download"], "download/", "requirements.json"),
    "an operation": (["? check_tool_call"], "o/payload.check_tool_call/", "Example"),
    "how hermes writes calls": (["? hermes"], "formats/hermes/", "Sample"),
    "how qwen writes calls": (["? qwen"], "formats/qwen3", "Sample"),
    "try a text": (["Use"], "try/", "Playground"),
    "why a server answered 400": (
        ["the server answers 400"],
        "v1/payload/",
        "What goes with the tools",
    ),
    "how a port begins": (["The adapter"], "adapter/", "with its kit"),
    "cite in a decision record": (["for reviewers"], "use/review/", "Find what changed"),
}
"""What readers come for: what they click or ask, where they end, and what they read there."""


@pytest.fixture(scope="module")
def timed() -> Iterator[list[str]]:
    """Collect a row for each task; print them as a table."""
    rows: list[str] = []
    yield rows
    head = f"{'task':36} clicks  queries  seconds"
    print("", head, *rows, sep="\n")


@pytest.mark.parametrize("task", TASKS)
def test_a_reader_gets_there_with_two_clicks_or_one_query(
    page: Page, address: str, timed: list[str], task: str
) -> None:
    steps, end, shown = TASKS[task]
    assert len(steps) <= 2
    page.goto(address)
    start = time.monotonic()
    for step in steps:
        if step.startswith("? "):
            assert len(steps) == 1
            page.keyboard.press("/")
            page.keyboard.type(step.removeprefix("? "))
            if not re.fullmatch(r"[a-z]{3}-\d{3}", step.removeprefix("? "), re.IGNORECASE):
                page.locator(".md-search-result__item a").first.wait_for()
                page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")
        else:
            page.locator(":is(nav, article) a:visible", has_text=step).first.click()
    page.wait_for_url(f"{address}{end}**")
    # What is hidden, such as the index of a contract while it is folded, shows nothing.
    page.locator("article").get_by_text(shown).locator("visible=true").first.wait_for()
    queries = sum(step.startswith("? ") for step in steps)
    seconds = time.monotonic() - start
    timed.append(f"{task:36} {len(steps) - queries:6}  {queries:7}  {seconds:7.1f}")


@pytest.mark.parametrize("path", CONTRACTS)
def test_a_printed_contract_is_the_law_alone(page: Page, address: str, path: str) -> None:
    page.goto(address + path)
    page.emulate_media(media="print")
    for gone in (".md-header", ".md-sidebar", ".md-footer", "button", ".cc-case"):
        assert not any(each.is_visible() for each in page.locator(gone).all()), gone
    assert page.locator("blockquote").first.is_visible()
    assert len(page.pdf()) > PAGE_BYTES / 10


@pytest.mark.parametrize("path", ["r/PAY-032/", *CONTRACTS])
def test_paper_is_light_for_readers_of_the_dark_theme(
    browser: Browser, address: str, path: str
) -> None:
    context = browser.new_context(viewport=DESK, color_scheme="dark", reduced_motion="reduce")
    page = context.new_page()
    page.goto(address + path)
    page.emulate_media(media="print")
    found = violations(page, "{runOnly: ['color-contrast']}")
    context.close()
    assert found == []


@pytest.mark.parametrize(("path", "fold"), [("r/PAY-032/", ".cc-def"), ("v1/payload/", ".cc-rows")])
def test_what_is_folded_of_the_law_is_printed(
    page: Page, address: str, path: str, fold: str
) -> None:
    page.goto(address + path)
    words = page.locator(fold).first
    words.evaluate("(fold) => (fold.open = false)")
    folded = words.bounding_box()
    page.emulate_media(media="print")
    printed = words.bounding_box()
    assert folded
    assert printed
    assert printed["height"] > 2 * folded["height"]


@pytest.mark.parametrize("path", CONTRACTS)
def test_a_contract_keeps_its_budget(page: Page, address: str, path: str) -> None:
    sizes: list[int] = []
    page.on("response", lambda got: sizes.append(len(gzip.compress(got.body()))))
    page.goto(address + path, wait_until="networkidle")
    screens = page.evaluate("document.scrollingElement.scrollHeight") / DESK["height"]
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    print(f"{path}: {sum(sizes) / 1000:.0f} kB, {screens:.1f} screens, paint {paint:.0f} ms")
    assert sum(sizes) <= PAGE_BYTES
    assert screens <= SCREENS


def test_the_site_keeps_its_budget() -> None:
    files = [file for file in SITE.rglob("*") if file.is_file()]
    read = (file.read_bytes() for file in files if file.suffix not in ARCHIVES)
    total = sum(len(gzip.compress(content)) for content in read)
    whole = sum(file.stat().st_size for file in files)
    print(f"site: {total / 1e6:.1f} MB compressed of {whole / 1e6:.1f} MB, {len(files)} files")
    assert total <= SITE_BYTES
    assert whole <= DISK_BYTES


TRIED = """async () => {
    const {openCase, ready} = await import(new URL("../assets/try.mjs", location));
    await ready;
    const read = async (path) => (await fetch(`../fixtures/v1/${path}`)).json();
    const [said, wrong] = [document.querySelector("#cc-try output"), []];
    let asked = 0;
    for (const {path} of (await read("manifest.json")).suites)
        for (const {id, without} of (await read(path)).cases) {
            if (without) continue;
            await openCase(id);
            asked += 1;
            if (said.value !== `As ${id} expects.`) wrong.push(id);
        }
    return [asked, wrong]; }"""
SAID = "#cc-try .cc-filters output"


def test_the_playground_gives_for_every_case_what_the_case_expects(
    page: Page, address: str
) -> None:
    page.goto(address + "try/")
    asked, wrong = page.evaluate(TRIED)
    assert wrong == []
    assert asked > 4000


def test_a_case_opens_in_the_playground(page: Page, address: str) -> None:
    page.goto(address + "r/PAY-032/")
    page.get_by_role("link", name="Open in the playground").or_(
        page.get_by_role("link", name="Try", exact=True)
    ).first.click()
    page.wait_for_url("**/try/#case=*")
    page.wait_for_function(f"document.querySelector('{SAID}')?.value.endsWith('expects.')")


def test_a_mapping_of_an_interface_can_be_read(page: Page, address: str) -> None:
    page.goto(address + "try/#case=interface.read.thought-and-call")
    page.wait_for_function(f"document.querySelector('{SAID}')?.value.endsWith('expects.')")
    changed = page.locator(".cc-try-diff")
    assert '"type": "tool_use"' in " ".join(changed.locator("del").all_inner_texts())
    assert '"tool_calls": [' in " ".join(changed.locator("ins").all_inner_texts())


def test_the_way_of_a_search_can_be_read(page: Page, address: str) -> None:
    page.goto(address + "try/#case=capability.resolve.registry-reached-by-one")
    table = page.locator(".cc-try-output table")
    table.wait_for()
    assert table.inner_text().split("\n")[1:] == [
        "acme / model-a\t0\tholds the model by its name model-a, with tools",
        "acme / model-b\t0\tknows the provider and not the model",
        "\t1\tdoes not load, and ends the search",
    ]


def test_what_is_written_stands_in_the_address(page: Page, address: str) -> None:
    page.goto(address + "try/#case=extraction.extract.incident-mixed-content")
    page.wait_for_function(f"document.querySelector('{SAID}')?.value.startsWith('As ')")
    page.get_by_label("Text", exact=True).fill(
        '<tool_call>{"name": "foo", "arguments": {},}</tool_call>'
    )
    page.get_by_label("Chunks of").fill("7")
    page.wait_for_url("**/try/#s=*")
    page.get_by_text("trailing_comma", exact=True).wait_for()
    page.get_by_text("In chunks:").wait_for()
    address_of_it = page.url
    page.goto("about:blank")
    page.goto(address_of_it)
    page.get_by_text("trailing_comma", exact=True).wait_for()
    assert "foo" in page.get_by_label("Text", exact=True).input_value()


def test_a_long_text_does_not_freeze_the_playground(page: Page, address: str) -> None:
    page.goto(address + "try/#case=extraction.extract.incident-mixed-content")
    page.wait_for_function(f"document.querySelector('{SAID}')?.value.startsWith('As ')")
    longest = page.evaluate("""async () => {
        let last = performance.now(), longest = 0, stop = false;
        const beat = () => {
            const now = performance.now();
            longest = Math.max(longest, now - last);
            last = now;
            if (!stop) setTimeout(beat);
        };
        beat();
        const field = document.querySelector("#cc-try textarea");
        field.value = `x <tools>{"name": "foo", "arguments": {}}</tools> `.repeat(20000);
        field.dispatchEvent(new Event("input", {bubbles: true}));
        await new Promise((done) => setTimeout(done, 300));
        while (document.querySelector("#cc-try .cc-filters output").value === "\u2026")
            await new Promise((done) => setTimeout(done, 50));
        stop = true;
        return longest; }""")
    assert "20000 calls" in page.inner_text(".cc-try-output")
    assert longest < 5000, "a page that stands still is one that a browser offers to close"


def test_what_is_no_json_is_said(page: Page, address: str) -> None:
    page.goto(address + "try/")
    page.get_by_label("Input, as JSON").fill("{")
    page.get_by_text("The input is no JSON").wait_for()
