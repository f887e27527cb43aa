"""The report: seconds and bytes to make it, and how soon its explorer answers in a browser.

python benchmarks/report.py             TREC-COVID, if GRADEWISE_DATA has it, and 1,000 runs
python benchmarks/report.py --quick     a small collection, to see that it runs
"""

import argparse
import os
import tarfile
import tempfile
import time
from pathlib import Path
from typing import Any

import gradewise as gw

SECONDS, MEGABYTES, MILLISECONDS = 30, 1.5, 50  # what 143 runs on 30 topics may take
_NAMES = ("chromium", "chromium-browser", "google-chrome")
_MOVE = """() => {
  const slider = document.querySelector('#g1');
  const times = [];
  for (let step = 0; step < 40; step += 1) {
    const begin = performance.now();
    slider.value = (step + 1) / 50;
    slider.dispatchEvent(new Event('input'));
    document.body.getBoundingClientRect();
    times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b);
}"""


def trec_covid(folder: Path) -> tuple[Any, Any] | None:
    """Return TREC-COVID's first round, unpacked below a folder; None where it is not at hand."""
    data = Path(os.environ.get("GRADEWISE_DATA", "../shared/data"))
    archive = data / "trec-covid-round1" / "round1-runs.tar.xz"
    if not archive.is_file():
        return None
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    runs = sorted(path for path in folder.rglob("*") if path.is_file())
    return data / "qrels" / "qrels.covid-round1.txt.gz", runs


def simulated(runs: int, topics: int, depth: int) -> tuple[Any, Any]:
    sample = gw.simulate.collection(
        runs=runs, topics=topics, depth=depth, pool_depth=20, grades=3, seed=1
    )
    return sample.qrels, sample.runs


def browser_times(page: Path) -> str:
    """Return how long the page takes to open, and to answer a slider, as a sentence."""
    import shutil

    path = next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        return "no browser here"
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        opened = browser.new_page()
        begin = time.perf_counter()
        opened.goto(page.as_uri())
        opened.wait_for_selector("#explorer-board tbody tr")
        seconds = time.perf_counter() - begin
        times = opened.evaluate(_MOVE)
        browser.close()
    middle, worst = times[len(times) // 2], times[-1]
    return f"opens in {seconds:.1f} s, answers in {middle:.0f} ms (at worst {worst:.0f})"


def measure(name: str, qrels: Any, runs: Any, folder: Path) -> None:
    begin = time.perf_counter()
    page = folder / "report.html"
    gw.report.make_report(qrels, runs).save(page)
    seconds = time.perf_counter() - begin
    size = page.stat().st_size / 1e6
    print(f"{name:28} {seconds:5.1f} s  {size:5.2f} MB  {browser_times(page)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    print(f"allowed for 143 runs: {SECONDS} s, {MEGABYTES} MB, answers in {MILLISECONDS} ms")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if quick:
            measure("20 runs, 10 topics", *simulated(20, 10, 50), folder)
            return
        real = trec_covid(folder / "covid")
        if real is not None:
            measure("TREC-COVID, 143 runs, 30", *real, folder)
        measure("1,000 runs, 50 topics", *simulated(1000, 50, 100), folder)


if __name__ == "__main__":
    main()
