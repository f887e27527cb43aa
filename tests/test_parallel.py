"""Work in threads gives what a loop gives."""

import threading
import time

import pytest

from gradewise import parallel
from gradewise.parallel import thread_map


@pytest.fixture(autouse=True)
def _four_threads(monkeypatch):
    monkeypatch.setattr(parallel, "thread_count", lambda: 4)


def test_results_come_in_the_order_of_the_items():
    def slower_first(item: int) -> int:
        time.sleep((20 - item) / 4000)
        return item * item

    assert thread_map(slower_first, range(20)) == [n * n for n in range(20)]


def test_the_error_of_the_first_item_that_fails_is_raised():
    def fail(item: int) -> None:
        if item in (3, 4):
            time.sleep(0.02 if item == 3 else 0)
            raise ValueError(item)

    with pytest.raises(ValueError, match="3"):
        thread_map(fail, range(20))


def test_nothing_more_is_begun_after_an_error():
    begun = []

    def fail(item: int) -> None:
        begun.append(item)
        time.sleep(0.005)
        raise ValueError(item)

    with pytest.raises(ValueError, match="0"):
        thread_map(fail, range(100))
    assert len(begun) <= 8


def test_a_call_from_inside_stays_in_its_thread():
    def threads(_: int) -> set[int]:
        return set(thread_map(lambda _: threading.get_ident(), range(8)))

    for inside in thread_map(threads, range(8)):
        assert len(inside) == 1
    assert threading.get_ident() not in set().union(*thread_map(threads, range(8)))
