"""What is kept: the values that were asked for last, within a weight."""

from server.net.kept import Kept


def test_old_values_go_while_all_weigh_too_much_and_the_one_asked_for_stays() -> None:
    kept: Kept[str, int] = Kept()
    for key, value in (("a", 1), ("b", 2), ("c", 3)):
        kept.keep(key, value, 10, 30)
    assert kept.get("a") == 1
    kept.keep("d", 4, 15, 30)
    assert [kept.get(key) for key in "abcd"] == [1, None, None, 4]
    assert kept.weight == 25


def test_what_is_kept_twice_weighs_once_and_what_is_too_heavy_is_not_kept() -> None:
    kept: Kept[str, int] = Kept()
    kept.keep("a", 1, 10, 30)
    kept.keep("a", 2, 10, 30)
    assert (kept.get("a"), kept.weight) == (1, 10)
    kept.keep("b", 3, 31, 30)
    assert (kept.get("a"), kept.get("b"), kept.weight) == (None, None, 0)
