"""Frames as CSV that is safe to print, to read and to open."""

from gradewise.inert import csv_cell
from gradewise.libraries import pl


def csv_text(frame: "pl.DataFrame") -> str:
    r"""Return a frame as CSV, in which no text can split a row or command a terminal.

    With the environment variable GRADEWISE_GUARD_CSV set, text that a spreadsheet would take for a
    formula gets an apostrophe in front.

    Examples
    --------
    >>> from gradewise.libraries import pl
    >>> print(csv_text(pl.DataFrame({"run": ["a\nb", "c"], "value": [1, 2]})))
    run,value
    a\nb,1
    c,2
    <BLANKLINE>
    """
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    for name in texts:
        given = frame[name].unique().drop_nulls().to_list()
        inert = {text: csv_cell(text) for text in given}
        if any(text != cell for text, cell in inert.items()):
            frame = frame.with_columns(pl.col(name).replace(inert))
    return frame.write_csv()
