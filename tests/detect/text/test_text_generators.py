"""The generators behind the benchmarks: seeded, balanced, true to their labels."""

import detection_notes
import detection_tables
import detection_values
import text_sentences


def test_there_are_forty_tables_to_make():
    assert len(detection_values.LOCALES) * len(detection_tables.STYLES) == 40


def test_a_table_is_the_same_twice_and_balanced():
    first, second = (detection_tables.build(3, "ke", "local", 2, n_rows=12) for _ in range(2))
    assert first == second
    kinds = [truth.kind for truth in first.truth.values()]
    assert (kinds.count("personal"), kinds.count("decoy"), kinds.count("text")) == (8, 8, 1)
    assert all(len(cells) == 12 for cells in first.columns.values())


def test_opaque_headers_say_nothing():
    table = detection_tables.build(3, "us", "opaque", 0, n_rows=5)
    assert all(name.startswith("c") and name[1:].isdigit() for name in table.columns)


def test_labels_of_sentences_have_the_right_offsets():
    for sentence in text_sentences.sentences(4, 60):
        for entity, start, end in sentence.spans:
            assert entity in {"PERSON_NAME", "PLACE"}
            assert sentence.text[start:end].strip() == sentence.text[start:end] != ""


def test_notes_without_planted_values_have_no_truth():
    assert all(not note.entities for note in detection_notes.notes(1, 20, share=0.0))
    assert all(note.entities for note in detection_notes.notes(1, 20, share=1.0))
