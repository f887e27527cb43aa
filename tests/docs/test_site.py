"""The site builds without a warning, needs no network, and can be searched from disk."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gradewise.measures.registry import all_measures
from report.browser import chromium

ROOT = Path(__file__).parents[2]
RESOURCE = re.compile(r"<(?:script|img|iframe|link)\b[^>]*?\b(?:src|href)=\"?(?:https?:)?//[^>]*>")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built here unless GRADEWISE_SITE says where it is."""
    if "GRADEWISE_SITE" in os.environ:
        return Path(os.environ["GRADEWISE_SITE"])
    for library in ("mkdocs", "material", "mkdocstrings", "latex2mathml"):
        pytest.importorskip(library, reason=f"{library} is not installed")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(
        [*command, "--config-file", str(ROOT / "mkdocs.yml")],
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_every_measure_has_a_page_and_nothing_is_fetched(site: Path) -> None:
    index = (site / "measures" / "index.html").read_text(encoding="utf-8")
    for measure in all_measures():
        assert (site / "measures" / f"{measure.name}.html").is_file()
        assert f'href="{measure.name}.html"' in index
    for page in site.rglob("*.html"):
        assert not RESOURCE.findall(page.read_text(encoding="utf-8")), page.name


def check_embedded(page: Any, site: Path) -> None:
    """Check that the guide shows a section of a report that works, in a frame of its own."""
    page.goto((site / "guides" / "engineers" / "report.html").as_uri())
    frame = page.wait_for_selector("iframe.embedded").content_frame()
    frame.wait_for_selector("#explorer-board tbody tr")
    before = frame.text_content("#explored")
    frame.fill("#g2-number", "0.9")
    frame.dispatch_event("#g2-number", "change")
    assert frame.text_content("#explored") != before


@pytest.mark.slow
def test_search_works_from_disk(site: Path) -> None:
    with chromium() as browser:
        check_embedded(browser.new_page(), site)
        page = browser.new_page()
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.goto((site / "measures" / "GAP.html").as_uri())
        page.wait_for_selector(".md-search__input", state="visible")
        page.keyboard.press("s")
        page.keyboard.type("Wilcoxon")
        page.wait_for_selector(".md-search-result__item")
        links = page.eval_on_selector_all(".md-search-result__link", "all => all.map(a => a.href)")
        assert any("reference/stats.html" in link for link in links)
        assert all(
            request.startswith(("file:", "data:", "blob:", "about:")) for request in requests
        )
