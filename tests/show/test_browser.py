"""The page in a real browser: headless Chromium, where it is installed, and axe-core, where its package is."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from seamwright import load_state
from seamwright.show import page, view_sync
from seamwright_containers import responses_pipeline
from show import hostile

ROOT: Final = Path(__file__).resolve().parents[2]

CHROMIUM: Final = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER: Final = shutil.which("chromedriver")
if CHROMIUM is None or DRIVER is None:
    pytest.skip("Chromium or its driver is not installed", allow_module_level=True)
webdriver: Final = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")

# One worker has one browser for all of them.
pytestmark = pytest.mark.xdist_group("browser")

SCREENS: Final = {
    "light": (1200, 900, "light"),
    "dark": (1200, 900, "dark"),
    "narrow": (360, 780, "light"),
    "narrow dark": (360, 780, "dark"),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser without a window and without a network."""
    chosen = webdriver.ChromeOptions()
    chosen.binary_location = CHROMIUM
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        chosen.add_argument(flag)
    chosen.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(DRIVER)
    driver = webdriver.Chrome(options=chosen, service=service)
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The addresses of the example's page and of the hostile one."""
    folder = tmp_path_factory.mktemp("pages")
    pipeline = responses_pipeline()
    states = {
        "example": load_state(ROOT / "examples" / "support_agent.json"),
        "hostile": (hostile.state(), hostile.OPTIONS),
    }
    for name, given in states.items():
        (folder / f"{name}.html").write_text(page(view_sync(pipeline, *given)), encoding="utf-8")
    return {name: (folder / f"{name}.html").as_uri() for name in states}


def shown(browser: Any, address: str, screen: str = "light") -> None:
    """Opens a page on a screen."""
    width, height, scheme = SCREENS[screen]
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    browser.get(address)
    assert [] == browser.get_log("browser")


def asked(browser: Any, expression: str) -> Any:
    """The value of an expression in the page."""
    return browser.execute_script(f"return {expression}")


def pressed(browser: Any, *keys: str) -> None:
    """Presses keys where the focus is."""
    webdriver.ActionChains(browser).send_keys(*keys).perform()


VISIBLE: Final = "[...document.querySelectorAll('ol.entries > .entry')].filter(one => !one.hidden).length"


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("name", ["example", "hostile"])
def test_it_fits_the_screen(browser: Any, pages: dict[str, str], screen: str, name: str) -> None:
    """Nothing is wider than the screen, on a phone and with texts that have no place to break."""
    shown(browser, pages[name], screen)

    assert SCREENS[screen][0] == asked(browser, "document.documentElement.scrollWidth")


def test_light_and_dark_differ(browser: Any, pages: dict[str, str]) -> None:
    """The page follows the system's scheme."""
    colours: set[str] = set()
    for screen in ("light", "dark"):
        shown(browser, pages["example"], screen)
        colours.add(asked(browser, "getComputedStyle(document.body).backgroundColor"))

    assert 2 == len(colours)


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("name", ["example", "hostile"])
def test_axe_finds_nothing(browser: Any, pages: dict[str, str], screen: str, name: str) -> None:
    """No rule of axe-core for accessibility is broken, best practices included."""
    found = importlib.util.find_spec("axe_playwright_python")
    if found is None or not found.submodule_search_locations:
        pytest.skip("axe-playwright-python, which carries axe-core, is not installed")
    source = (Path(found.submodule_search_locations[0]) / "axe.min.js").read_text("utf-8")
    shown(browser, pages[name], screen)
    # through the debugger: the page's policy lets no other script in
    browser.execute_cdp_cmd("Runtime.evaluate", {"expression": source})
    run = {"expression": "axe.run().then(r => r.violations)", "awaitPromise": True, "returnByValue": True}
    violations = browser.execute_cdp_cmd("Runtime.evaluate", run)["result"]["value"]

    assert [] == [(one["id"], one["impact"], one["nodes"][0]["html"][:200]) for one in violations]


def test_hostile_text_does_nothing(browser: Any, pages: dict[str, str]) -> None:
    """No script of a state runs, nothing of it is an element, nothing is asked of a network."""
    shown(browser, pages["hostile"])

    assert asked(browser, "window.hacked === undefined")
    assert [] == asked(browser, "performance.getEntriesByType('resource').map(one => one.name)")
    assert 1 == asked(browser, "document.scripts.length")
    odd = "img, iframe, b, base, form, link, template, plaintext, #injected, [onload], [onerror], [style]"
    assert 0 == asked(browser, f"document.querySelectorAll({odd!r}).length")
    text = asked(browser, "document.body.textContent")
    assert all(attack in text for attack in hostile.ATTACKS if attack.isprintable())


def test_the_policy_holds(browser: Any, pages: dict[str, str]) -> None:
    """Even a script or a picture that got into the page would not run or load."""
    shown(browser, pages["example"])
    browser.execute_script(
        "const s = document.createElement('script'); s.textContent = 'window.hacked = 1';"
        "const i = document.createElement('img'); i.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';"
        "const d = document.createElement('div'); d.setAttribute('style', 'width: 7px');"
        "document.body.append(s, i, d)"
    )
    refused = [entry["message"] for entry in browser.get_log("browser")]

    assert asked(browser, "window.hacked === undefined")
    assert 3 == len(refused)
    assert all("Content Security Policy" in message for message in refused)


def test_the_search_finds_and_opens(browser: Any, pages: dict[str, str]) -> None:
    """``/`` goes to the search; what holds the words stays, open, with the words marked; Escape brings all back."""
    shown(browser, pages["example"])
    total = asked(browser, VISIBLE)
    browser.find_element("id", "fold").click()
    assert 0 == asked(browser, "document.querySelectorAll('details[open]').length")

    browser.find_element("tag name", "body").click()
    pressed(browser, "/", "thursday morning")
    assert 1 == asked(browser, VISIBLE)
    assert asked(browser, "document.querySelector('.entry:not([hidden]) details').open")
    assert "1 of " in asked(browser, "document.querySelector('#found').textContent")
    marked = asked(browser, "[...CSS.highlights.get('found')].map(String)")
    assert {"Thursday morning"} == set(marked)

    pressed(browser, "\ue00c")
    assert total == asked(browser, VISIBLE)
    assert "" == asked(browser, "document.querySelector('#search').value")
    assert "BODY" == asked(browser, "document.activeElement.tagName")


def test_the_search_opens_folded_lines(browser: Any, pages: dict[str, str]) -> None:
    """A word in the later lines of a long text is found, and they are opened."""
    shown(browser, pages["hostile"])
    browser.find_element("id", "search").send_keys("gnp.exe")

    assert 0 < asked(browser, "document.querySelectorAll('.more[open]').length")


def test_a_chip_shows_one_kind(browser: Any, pages: dict[str, str]) -> None:
    """The buttons below the chart show one trust, what was replayed, or what was left out; once more shows all."""
    shown(browser, pages["example"])
    total = asked(browser, VISIBLE)
    for tag, count in (("left out", 2), ("replayed", 4), ("peer", 2)):
        chip = browser.find_element("css selector", f"[data-tag='{tag}']")
        chip.click()
        assert count == asked(browser, VISIBLE), tag
        assert "true" == chip.get_attribute("aria-pressed")
        chip.click()
        assert total == asked(browser, VISIBLE)


def test_the_keyboard_is_enough(browser: Any, pages: dict[str, str]) -> None:
    """From the top: a link to the request, then item by item, which Enter folds and unfolds."""
    shown(browser, pages["example"])
    pressed(browser, "\ue004")
    assert "Skip to the request" == asked(browser, "document.activeElement.textContent")
    assert asked(browser, "document.activeElement.getBoundingClientRect().left >= 0")
    pressed(browser, "\ue007", "j", "j")
    first = "document.querySelectorAll('.entries > li > details > summary')[1]"
    assert asked(browser, f"document.activeElement === {first}")

    before = asked(browser, f"{first}.parentElement.open")
    pressed(browser, "\ue007")
    assert before != asked(browser, f"{first}.parentElement.open")
    pressed(browser, "k")
    assert asked(browser, "document.activeElement === document.querySelector('.entries summary')")


def test_without_scripts_it_can_be_read(browser: Any, pages: dict[str, str]) -> None:
    """Everything is open, and no control is there that would do nothing."""
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(pages["example"])
        assert not browser.find_element("id", "search").is_displayed()
        assert not browser.find_element("id", "chips").is_displayed()
        assert "Thursday morning, please." in browser.find_element("tag name", "main").text
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
