"""Denials, ends and moves in other scripts; inflected words are met by how they begin."""

from datetime import UTC, datetime, timedelta

import pytest

from graphmem.model.knowledge import Claim
from graphmem.rules.contradiction.candidates import Candidates
from graphmem.rules.contradiction.detector import check
from graphmem.rules.contradiction.traits import traits_of

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
    ("支付网关部署在苏州机房。", "支付网关已从苏州机房迁移到无锡机房。"),
    ("默认端口是7070。", "默认端口改为7171。"),
    ("项目负责人是赵敏。", "孙磊接替赵敏担任项目负责人。"),
    ("陈涛在海信工作。", "陈涛已经从海信离职。"),
    ("編集会議は月曜日の午前に行われる。", "編集会議は木曜日の午後に変更された。"),
    ("森さんは経理部の部長です。", "経理部の部長は原さんに代わりました。"),
    ("支店は神戸にあります。", "支店は神戸から奈良に移転しました。"),
    ("兄は独身です。", "兄は先月結婚しました。"),
    ("정기 회의는 화요일에 열린다.", "정기 회의는 목요일로 변경되었다."),
    ("팀장은 오세진이다.", "팀장은 한유리로 바뀌었다."),
    ("손님도 창고를 이용할 수 있다.", "손님은 창고를 이용할 수 없다."),
    ("Служба использует Redis.", "Служба перешла с Redis на Valkey."),
    ("Главный склад находится в Твери.", "Компания перенесла главный склад в Пермь."),
    ("Директор музея — Анна Белова.", "Директором музея стал Пётр Громов."),
    ("टीम की प्रमुख मीरा हैं।", "मीरा की जगह रवि टीम की प्रमुख बने।"),
    ("مدير المتحف هو سليم.", "مدير المتحف الآن هو فارس."),
]
TOGETHER = [
    ("支付网关部署在苏州机房。", "报表服务已从苏州机房迁移到无锡机房。"),
    ("默认端口是7070。", "测试端口改为7171。"),
    ("陈涛在海信工作。", "陈涛在海边跑步。"),
    ("森さんは経理部の部長です。", "営業部の部長は原さんに代わりました。"),
    ("支店は神戸にあります。", "本社は神戸から奈良に移転しました。"),
    ("정기 회의는 화요일에 열린다.", "임시 회의는 목요일로 변경되었다."),
    ("Служба использует Redis.", "Очередь перешла с Redis на Valkey."),
    ("Директор музея — Анна Белова.", "Директором театра стал Пётр Громов."),
    ("مدير المتحف هو سليم.", "مدير المسرح الآن هو فارس."),
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
    assert Candidates([*map(traits_of, [old, new])]).of(0) == {1}


@pytest.mark.parametrize(("old", "new"), TOGETHER)
def test_what_is_said_of_others_or_in_another_form_stays(old: str, new: str) -> None:
    assert not conflict(old, new)
