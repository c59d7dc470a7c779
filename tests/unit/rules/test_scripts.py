"""Denials, ends and moves in other scripts; inflected words are met by how they begin."""

from datetime import UTC, datetime, timedelta

import pytest

from graphmem.model.knowledge import Claim
from graphmem.rules.candidates import Candidates
from graphmem.rules.contradiction import check

MARCH = datetime(2026, 3, 1, tzinfo=UTC)
ENDED = [
    ("Ольга живёт в Казани.", "Ольга переехала из Казани в Самару."),
    ("Антон курит.", "Антон больше не курит."),
    ("Директор музея — Игорь Палыч.", "Директор музея — Вера Львовна."),
    ("Мій брат не їсть риби.", "Мій брат їсть рибу щоп'ятниці."),
    ("王芳住在成都。", "王芳现在住在杭州,已经离开成都。"),
    ("祖父は犬を飼っている。", "祖父はもう犬を飼っていない。"),
    ("健太はたばこを吸う。", "健太はたばこをやめた。"),
    ("민수는 서울에 산다.", "민수는 부산으로 이사했다."),
    ("سعر التذكرة عشرون درهما.", "سعر التذكرة ثلاثون درهما."),
]
TOGETHER = [
    ("Мария работает в школе.", "Марина больше не работает в школе."),
    ("Ольга живёт в Самаре.", "Ольга переехала в Самару."),
    ("सीमा दिल्ली में रहती है।", "सीमा का भाई पुणे में रहता है।"),
    ("王芳住在成都。", "王芳喜欢喝茶。"),
    ("Антон курит.", "Антон больше не играет в шахматы."),
]


def conflict(old: str, new: str) -> bool:
    return check(
        Claim(content=old, created_at=MARCH), Claim(content=new, created_at=MARCH + timedelta(days=9))
    ).conflict


@pytest.mark.parametrize(("old", "new"), ENDED)
def test_what_is_denied_or_over_or_elsewhere_is_retired(old: str, new: str) -> None:
    assert conflict(old, new)
    assert Candidates([old, new]).of(0) == {1}


@pytest.mark.parametrize(("old", "new"), TOGETHER)
def test_what_is_said_of_others_or_in_another_form_stays(old: str, new: str) -> None:
    assert not conflict(old, new)
