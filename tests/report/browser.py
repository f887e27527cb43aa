"""A headless Chromium for tests of pages, or a reason why there is none."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium_path() -> str:
    """Return the browser of the system, or skip the test."""
    found = [os.environ.get("CHROMIUM", ""), *map(shutil.which, _NAMES)]
    path = next((path for path in found if path), None)
    if path is None:
        pytest.skip("there is no Chromium here; install it, or set CHROMIUM to its path")
    return path


@contextmanager
def chromium() -> Iterator[Any]:
    """Start the browser of the system."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = chromium_path()
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


class Opened:
    """A page with what it tried to fetch and what it complained about."""

    def __init__(self, context: Any, address: str) -> None:
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page = context.new_page()
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", self._listen)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.address = address.partition("#")[0]
        self.page.goto(address)

    def _listen(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def check(self) -> None:
        """Fail if the page fetched anything but itself, or complained."""
        assert self.requests == [self.address]
        assert self.complaints == []
