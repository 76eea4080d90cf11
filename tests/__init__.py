"""The tests of privaudit; `tests.helpers` is what several of them share."""
