"""What a statement in Chinese, Japanese, Korean, Russian, Hindi or Arabic says has become otherwise: "改为", "に移転".

`rules.contradiction.scripts` knows what ends; here it is what something is now instead. An older statement is read as
who or what it is about and the value that it tells, by the sort of slot (what it is, where, with what, when it begins);
a newer one as what the value became. Both must be about the same, to the letter but for what owns it ("our company's").
"""

import re
from dataclasses import dataclass

from graphmem.rules.language.text import fold

_ZH_WHEN = (
    r"(?:现在|目前|如今|已经?|刚刚?|最近|近日|后来|上周|上个?月|去年|今年|昨天|今天|下周起"
    r"|下个?月起|本周起|全部|正式|整体|也?都?(?=改|换)|[,，])*"
)
_ZH_TAIL = r"(?:举行|举办|召开|办公|工作|上班|上学|读书|就读|学习|开会|负责|管理|担任|进行|了|去了)*"
_ZH_PLACED = r"(?:设在|设于|位于|坐落于|部署在|托管在|运行在|存放在|安排在|定在|住在|在)"
_ZH_MOVED = (
    r"(?:迁移|搬迁|搬家|搬|迁|移|转移|转学|转岗|转|换|改|切换|升级|降|调整|调动|调|提高|提升|上涨|涨|下调|跳槽|变更|变)"
)
_ZH_TO = r"(?:到了?|至|为了?|成了?|去了?|往|用)"
_ZH_BECAME = (
    r"(?:改为|改成|改到|改在|改用|改由|换成|换为|换到|变成|变为|变更为|调整为|调整到|更换为|更新为|升级到|升级为"
    r"|推迟到|提前到|延期到"
    r"|延期至|涨到|降到|提高到|降至|升至)了?"
)
_ZH_WENT = r"(?:迁移到|迁移至|迁到|迁至|搬到|搬至|搬迁到|搬迁至|移到|移至|转移到|跳槽到|跳槽去|转到|调到)了?"
_JA_WHEN = (
    r"(?:先月|先週|昨年|去年|今年|今月|今週|昨日|最近|現在は?|今は|いまは|今では|新しく|すでに|来月から|来週から"
    r"|今月から|\d+月から|春から"
    r"|[、,])*"
)
_JA_BECAME = (
    r"(?:移転|移行|変更|引っ越|移動|異動|切り替|乗り換え|転勤|転職|転校|移[りっし]|変わ|変え|なり|なっ|改め|代わ"
    r"|延期|値上げ|値下げ|上が|下が"
    r"|アップグレード|更新|移住|改名)"
)
_JA_WHERE = (
    r"(?:に(?:あり|ある|住ん|置か|置い|設置|配置|保存|デプロイ|勤め|勤務|通っ|行わ|開か|開催)"
    r"|で(?:働い|動い|行わ|行っ|開か|開催|稼働|運用|勤務))"
)
_JA_STARTS = r"(?:に?(?:始ま|開始|開店|開き|開く|スタート)|からです|からだ)"
_JA_LEFT = r"(?:退職|退任|辞任|異動|引退|転職|交代|辞め)"
_KO_WHEN = r"(?:지난달|지난주|작년에?|올해|최근에?|이제|지금은?|현재|다음 달부터|다음 주부터)? ?"
_KO_BECAME = (
    r"(?:이전|변경|바뀌|바뀐|바꾸|바꿨|옮|전환|이동|교체|마이그레이션|이직|승진|연기|전학|인상|인하|조정|업그레이드)"
)
_RU_BECAME = (
    r"(?:переш(?:ёл|ел|л[аио])|мигрировал\w*|перен[её]с\w*|переехал\w*|переключил\w*|сменил\w*|перев[её]л\w*|обновил\w*"
    r"|изменил\w*|поменял\w*|вырос\w*|снизил\w*|повысил\w*)"
)
_RU_ROLE = r"(?:стал[аи]?|теперь(?: уже)?|назначен[аы]?|стане[тм])"

_RU_MOVED = re.compile(
    r"(?:(?P<by>.+?) )?(?:перенесл[аи]|перен[её]с|перевели|перев[её]л|перевела|переместил[аи]?) (?P<who>.+?) (?:в"
    r"|на) (?P<came>\S+)"
)
_RU_WHERE = re.compile(r" (?:в|на|во) (?P<value>\S+)$")
_FLIPPED = re.compile(
    r"(?P<one>.+?)は(?P<what>.+?の(?:部長|社長|課長|店長|校長|監督|担当者?|リーダー|キャプテン|代表|会長|院長"
    r"|責任者))(?:です|だ|である)"
)
_TURNED = tuple(
    tuple(re.compile(side) for side in pair.split(" / "))
    for pair in (
        "独身|未婚 / 結婚(?:した|しました)",
        "单身|未婚 / 结婚了|已婚",
        "미혼|독신 / 결혼했",
        "холост|не замужем|не женат / женился|вышла замуж",
        "женат|замужем / разв[её]лся|развелась|развелись",
    )
)
"""A state, and what puts an end to it; of the same person."""

_HOLDS = tuple(
    (sort, re.compile(pattern))
    for sort, pattern in (
        ("place", rf"(?P<who>[^是]+?){_ZH_WHEN}{_ZH_PLACED}(?P<value>.+?){_ZH_TAIL}"),
        ("being", rf"(?P<who>[^在]+?){_ZH_WHEN}(?:是|为|叫)(?P<value>.+?)"),
        ("by", rf"(?P<who>.+?){_ZH_WHEN}由(?P<value>.+?){_ZH_TAIL}"),
        ("with", rf"(?P<who>.+?){_ZH_WHEN}(?:使用|采用|用)(?:的?是)?(?P<value>.+?)(?:做.+|进行.+)?"),
        ("place", rf"(?P<who>.+?)は{_JA_WHEN}(?P<value>.+?){_JA_WHERE}.*"),
        ("start", rf"(?P<who>.+?)は{_JA_WHEN}(?P<value>.+?){_JA_STARTS}.*"),
        ("being", rf"(?P<who>.+?)は{_JA_WHEN}(?P<value>.+?)(?:です|だ|である)"),
        ("with", rf"(?P<who>.+?)(?:では|は){_JA_WHEN}(?P<value>.+?)を(?:使|利用|採用).*"),
        (
            "place",
            r"(?P<who>.+?)(?:은|는|이|가) (?P<value>\S+?)(?:에서|에) "
            r"(?:있|위치|일하|근무|열리|열린|진행|다니|산|살|시작|배포|운영|실행|보관).*",
        ),
        ("with", r"(?P<who>.+?)(?:은|는|이|가) (?P<value>\S+?)(?:을|를) (?:사용|쓴|쓰고|이용).*"),
        ("being", r"(?P<who>.+?)(?:은|는|이|가) (?P<value>.+?)(?:이다|입니다|이에요|예요|다)"),
        ("being", r"(?P<who>.+?) (?:الآن )?(?:هو|هي)(?: الآن)? (?P<value>.+)"),
    )
)
"""What is told of whom, by the sort of slot; the whole statement."""
_BECAME = tuple(
    (sort, re.compile(pattern))
    for sort, pattern in (
        ("", rf"(?P<who>.+?){_ZH_WHEN}从(?P<gone>.+?)(?:全部|正式|整体)?{_ZH_MOVED}{_ZH_TO}(?P<came>.+?){_ZH_TAIL}"),
        ("", rf"(?P<who>.+?){_ZH_WHEN}(?:被|将)?{_ZH_BECAME}(?P<came>.+?){_ZH_TAIL}"),
        ("place", rf"(?P<who>.+?){_ZH_WHEN}(?:被|将)?{_ZH_WENT}(?P<came>.+?){_ZH_TAIL}"),
        ("place", rf"(?P<who>.+?)(?:现在|目前|如今)(?:改|已)?{_ZH_PLACED}(?P<came>.+?){_ZH_TAIL}"),
        ("", rf"(?P<who>.+?)(?:は|が|を){_JA_WHEN}(?P<gone>[^は]+?)から(?P<came>.+?)(?:に|へ){_JA_BECAME}.*"),
        ("", rf"(?P<who>.+?)(?:は|が|を){_JA_WHEN}(?P<came>[^は]+?)(?:に|へ){_JA_BECAME}.*"),
        ("start", rf"(?P<who>.+?)は{_JA_WHEN}(?P<came>.+?){_JA_STARTS}.*"),
        (
            "",
            rf"(?P<who>.+?)(?:은|는|이|가|을|를) {_KO_WHEN}(?P<gone>\S+?)에서 (?P<came>\S+?)(?:으로|로) {_KO_BECAME}.*",
        ),
        ("", rf"(?P<who>.+?)(?:은|는|이|가|을|를) {_KO_WHEN}(?P<came>\S+?)(?:으로|로) {_KO_BECAME}.*"),
    )
)
"""What became of it; the whole statement. A sort of slot where only such a value can have changed."""
_LEFT = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<who>.+?){_ZH_WHEN}从(?P<gone>.+?)(?:离职|辞职|退学|退休|搬走|搬出|退出)了?",
        r"(?P<came>.+?)已?(?:接替|取代|代替|接任|顶替)了?(?P<gone>.+?)(?:担任|成为|出任|任|当|做|成了|的)(?P<who>.+)",
        rf"(?P<gone>.+?)さん?[はが]{_JA_LEFT}.*?、(?:今は|現在は?|新しく|代わりに|後任は|後任として)?、?"
        r"(?P<came>.+?)[がは](?P<who>.+?)(?:です|だ|である|になりました|になった|を務め.*|に就任.*)",
        r"(?P<gone>\S+) की जगह (?P<came>\S+) (?P<who>.+?) (?:बने|बना|बनी|होंगे|हैं|है)",
        rf"(?P<who>.+?) {_RU_BECAME} (?:с|со|из) (?P<gone>.+?) (?:на|в|до|к) (?P<came>.+)",
    )
)
"""What or who is gone from what; the whole statement."""
_ROLE = re.compile(rf"(?P<who>.+?) {_RU_ROLE} (?P<came>.+)")
_ROLE_HELD = re.compile(r"(?P<who>.+?) (?:—|–|-|является) (?P<value>.+)")
_SLOTS = re.compile(
    r"(?:经理|负责人|主管|组长|队长|老板|校长|院长|店长|主任|总监|主席|教练|所有者|密码|端口号?|版本号?|状态|价格"
    r"|票价|房租|月租|截止日期|日期"
    r"|生日|电话|号码|地址|分支|总部|办公室|时间|地点|名称|颜色"
    r"|部長|社長|課長|店長|校長|監督|担当者?|リーダー|キャプテン|代表|会長|院長|責任者|パスワード|ポート|バージョン"
    r"|締め切り|本社|料金|値段|住所"
    r"|팀장|사장|담당자|책임자|대표|교장|관리자|감독|비밀번호|포트|버전|마감일|본사|가격|주소"
    r"|^(?:مدير|رئيس|قائد|مسؤول|مشرف|منفذ|كلمة|عنوان|سعر|موعد)\w* .*)$"
)
"""Nouns for what something has one of."""
_OWNERS = re.compile(r"^(?:我们公司的?|我们的?|我的?|公司的|弊社の|当社の|うちの|私たちの|우리 (?:회사 )?|نحن )|的|の")
_MARKS = " .。।!！"
_KANJI = str.maketrans("〇一二三四五六七八九", "0123456789")
_TEN = re.compile(r"(\d?)十(\d?)")
_DAY = re.compile(r"周[一二三四五六日天]|星期[一二三四五六日天]|[月火水木金土日]曜|[월화수목금토일]요일|\d")


@dataclass(frozen=True)
class _Change:
    """Of whom or what (`who`) a statement says that the value of a `sort` of slot became `came`, and was `gone`."""

    sort: str
    who: str
    gone: str
    came: str


def becomes_in_script(old: str, new: str) -> str | None:
    """What the newer statement says came instead of the value that the older one tells; None where it does not.

    >>> becomes_in_script("默认端口是8080。", "默认端口改为9090。")
    '9090'
    >>> becomes_in_script("默认端口是8080。", "测试端口改为9090。") is None
    True
    """
    before, after = _FLIPPED.sub(r"\g<what>は\g<one>です", _plain(old)), _plain(new)
    for change in _changes(after):
        if change.gone:
            if _told(change.gone, before) and _told(_bare(change.who), _bare(before)):
                return change.came or change.gone
            continue
        for sort, pattern in _HOLDS:
            held = pattern.fullmatch(before)
            if held and (not change.sort or change.sort == sort) and _is_other(change, held):
                return change.came
    for sort, pattern in _HOLDS:
        one, other = pattern.fullmatch(before), pattern.fullmatch(after)
        if sort == "being" and one and other and _SLOTS.search(one["who"]):
            change = _Change(sort, other["who"], "", other["value"])
            return change.came if _is_other(change, one) else None
    for state, ending in _TURNED:
        if (
            state.search(before)
            and (turn := ending.search(after))
            and not state.search(after)
            and before[:2] == after[:2]
        ):
            return turn[0]
    moved, where = _RU_MOVED.fullmatch(after), _RU_WHERE.search(before)
    if moved and where and _inflected(moved["who"], before, least=1) and not _inflected(where["value"], moved["came"]):
        return moved["came"]
    held, role = _ROLE_HELD.fullmatch(before), _ROLE.fullmatch(after)
    if held and role and _inflected(held["who"], role["who"]) and not _inflected(held["value"], role["came"]):
        return role["came"]
    return None


def _changes(after: str) -> list[_Change]:
    patterns = (*(("", pattern) for pattern in _LEFT), *_BECAME)
    found = ((sort, told.groupdict("")) for sort, pattern in patterns if (told := pattern.fullmatch(after)))
    return [_Change(sort, told["who"], told.get("gone", ""), told.get("came", "")) for sort, told in found]


def _is_other(change: _Change, held: re.Match[str]) -> bool:
    """Whether it is another value of the same; days and numbers against their like."""
    value, came = _bare(held["value"]), _bare(change.came)
    if _bare(held["who"]) != _bare(change.who) or not came or value in came or came in value:
        return False
    return bool(_DAY.search(value)) == bool(_DAY.search(came))


def _told(part: str, whole: str) -> bool:
    """Whether it is all said there, in whatever form where words are inflected."""
    if part in whole:
        return True
    return " " in whole and all(_inflected(word, whole, least=1) for word in part.split())


def _inflected(one: str, other: str, least: int = 0) -> bool:
    """Whether each word of the one is a form of one of the other's, and as many of them."""
    mine, yours = one.split(), other.split()
    if not least and len(mine) != len(yours):
        return False
    return all(
        any((len(word) >= 4 and word[:-2] == two[: len(word) - 2]) or word == two for two in yours) for word in mine
    )


def _bare(text: str) -> str:
    return _OWNERS.sub("", text).strip()


def _plain(text: str) -> str:
    """The text without marks at its end, with numbers in digits."""
    return _TEN.sub(_tens, fold(text).strip(_MARKS).translate(_KANJI))


def _tens(found: re.Match[str]) -> str:
    return str(int(found[1] or 1) * 10 + int(found[2] or 0))
