"""Make the pictures of the report, assets/verdict.png and assets/report.png.

python docs/hooks/screenshot.py     needs Chromium and playwright

It is committed, because a build of the site has no browser.
"""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import gradewise as gw

ASSETS = Path(__file__).parents[1] / "assets"


def main() -> None:
    """Make the page, open it and take the pictures."""
    from playwright.sync_api import sync_playwright

    sample = gw.simulate.collection(
        topics=25, runs=20, depth=100, grades=3, relevant=15, pool_depth=8, seed=28
    )
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        gw.report.make_report(sample.qrels, sample.runs).save(folder / "report.html")
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1180, "height": 760})
        page.goto((folder / "report.html").as_uri())
        page.screenshot(path=ASSETS / "verdict.png")
        picture(page, "report.png", [0.15, 0.15, 0.7], "GAP")
        browser.close()


def picture(page: Any, name: str, g: list[float], measure: str) -> None:
    """Set the explorer to thresholds and take a picture of it."""
    for index in range(len(g) - 1, 0, -1):
        page.fill(f"#g{index + 1}-number", str(g[index]))
        page.dispatch_event(f"#g{index + 1}-number", "change")
    page.check(f"input[value={measure}]")
    page.wait_for_function(
        f"() => /^(by )?{measure}\\b/i.test(document.querySelector('#map-sentence').textContent)"
    )
    page.evaluate("document.querySelector('nav').style.display = 'none'")
    page.evaluate("document.activeElement.blur()")
    page.locator("#explorer").screenshot(path=ASSETS / name)


if __name__ == "__main__":
    main()
