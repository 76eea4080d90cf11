"""Column names: cut into words, read for what they suggest, compared with each other.

Question: which entity types does a column name suggest, and do two column names mean the same?
Method: one tokeniser (`tokens`) and one lexicon (`lexicon`, data in ``rules/headers``) serve three users: the source
asks whether the first row holds column names, detection what a name suggests, attacks whether two names match.
Limits: a name is evidence only; the values decide.
"""

from privaudit.model.headers.lexicon import (
    flagged_entity_type,
    languages,
    needs_people,
    phrases,
    suggests,
    vocabularies,
)
from privaudit.model.headers.personal_names import is_person, is_personal, people_in, shown_file, shown_name
from privaudit.model.headers.reading import PLAIN, Header, Hint, has_header_words, read_header
from privaudit.model.headers.relation import Relation, relate, relate_tokens
from privaudit.model.headers.tokens import fold, listed_lines, listed_words, tokenise
