"""What people call columns: one table for files, frames and rows."""

import re
from functools import lru_cache

# What people call columns, the first choice first; white space, hyphens and dots count as
# underscores, and case does not matter.
NAMES = {
    "topic": "topic topic_id topicid qid q_id query_id queryid query_number query_no question_id "
    "query_text query search_term user_id userid user",
    "doc": "doc docno doc_id docid document document_id documentid doc_no corpus_id corpusid pid "
    "passage_id passageid did d_id document_number item_id itemid item product_id url _id",
    "grade": "grade relevance rel label rating judgment judgement gain relevance_grade "
    "relevance_label relevance_judgment relevance_judgement qrel",
    "score": "score similarity sim relevance_score rsv prediction",
    "rank": "rank position doc_position doc_rank pos ranking",
    "run": "run run_name runname run_id runid run_tag runtag system system_name system_id tag "
    "snapshot_name snapshot",
    "intent": "intent intent_id subtopic subtopic_id aspect iteration",
}
KNOWN: dict[str, tuple[str, ...]] = {role: tuple(names.split()) for role, names in NAMES.items()}
ITERATION = "iteration"  # what TREC calls the column, which may be anything
NO_ROLE = ("", "_", "-")  # what stands for a column that is not used
NUMBERS = ("grade", "score", "rank")
TITLES = {"doc": "document"}  # what a role is called in sentences, if not by its name


@lru_cache(maxsize=1000)
def plain(name: str) -> str:
    """Return a name as it stands in the table.

    Examples
    --------
    >>> plain("Doc ID"), plain("corpus-id")
    ('doc_id', 'corpus_id')
    """
    return re.sub(r"[\s.\-]+", "_", name.strip().lower())
