"""What statements in other scripts deny, end or tell otherwise: words are met by how they begin, since they are
inflected at their ends, and the few that matter are listed by language."""

import re
from collections.abc import Iterable

from graphmem.rules.contradiction.laying import Laid
from graphmem.rules.contradiction.scripted_changes import becomes_in_script
from graphmem.rules.language.text import fold

NUMBERS = {
    word: str(number)
    for number, said in (
        (2, "два две дві δύο اثنان اثنين שתיים שניים दो 둘 두"),
        (3, "три τρεις τρία ثلاثة ثلاث שלוש שלושה तीन 셋 세"),
        (4, "четыре чотири τέσσερις τέσσερα أربعة أربع ארבע ארבעה चार 넷 네"),
        (5, "пять п'ять πέντε خمسة خمس חמש חמישה पाँच पांच 다섯"),
        (6, "шесть шість έξι ستة ست שש שישה छह छः 여섯"),
        (7, "семь сім επτά εφτά سبعة سبع שבע שבעה सात 일곱"),
        (8, "восемь вісім οκτώ οχτώ ثمانية ثماني שמונה आठ 여덟"),
        (9, "девять дев'ять εννέα εννιά تسعة تسع תשע תשעה नौ 아홉"),
        (10, "десять δέκα عشرة عشر עשר עשרה दस 열"),
        (12, "двенадцать дванадцять δώδεκα बारह"),
        (15, "пятнадцать п'ятнадцять δεκαπέντε पंद्रह"),
        (20, "двадцать двадцять είκοσι عشرون عشرين עשרים बीस 스무"),
        (30, "тридцать тридцять τριάντα ثلاثون ثلاثين שלושים तीस 서른"),
        (40, "сорок σαράντα أربعون أربعين ארבעים चालीस 마흔"),
        (50, "пятьдесят п'ятдесят πενήντα خمسون خمسين חמישים पचास 쉰"),
        (60, "шестьдесят шістдесят εξήντα ستون ستين שישים साठ 예순"),
        (70, "семьдесят сімдесят εβδομήντα سبعون سبعين שבעים सत्तर"),
        (80, "восемьдесят вісімдесят ογδόντα ثمانون ثمانين שמונים अस्सी"),
        (90, "девяносто дев'яносто ενενήντα تسعون تسعين תשעים नब्बे"),
        (100, "сто εκατό مئة مائة מאה सौ 백"),
        (200, "двести двісті διακόσια مئتان مئتين מאתיים"),
        (1000, "тысяча тисяча χίλια ألف אלף हज़ार हजार 천"),
    )
    for word in said.split()
}
"""Numbers in words."""
_OVER = re.compile(
    r"больше не |уже не |перестал\w* |прекратил\w* |бросил\w* |кинув |кинула |закончил\w* |уволил(?:ся|ась"
    r"|ись) (?:из |с )?|(?:ушёл|ушел|ушла|ушли|уехал[аи]?) (?:из|с|от) "
    r"|отказал(?:ся|ась|ись) от |разв[её]л(?:ся|ась|ись) (?:с )?|расстал(?:ся|ась|ись) с |избавил(?:ся|ась|ись) от "
    r"|закрыл(?:ся|ась|и|ось)|отменил[аи]?|отменен\w*|отменён\w*"
    r"|продал[аи]? |вышел из |вышла из |покинул[аи]? |раньше |когда-то |прежде "
    r"|більше не |вже не |перестав |перестала |покинув |покинула |звільнив(?:ся|лася)? (?:з )?|пішов (?:з|із) "
    r"|пішла (?:з|із) |скасували |скасовано|продав |продала |розлучив(?:ся|лася) (?:з )?"
    r"|σταμάτησε (?:να )?|έπαψε (?:να )?|δεν (?=.*πια)|παραιτήθηκε (?:από )?|έφυγε από |εγκατέλειψε |έκοψε |πούλησε "
    r"|ακυρώθηκε|έκλεισε|χώρισε (?:με |από )?|πια δεν "
    r"|لم يعد |لم تعد |لم يعودوا |توقف عن |توقفت عن |ترك |تركت |غادر |غادرت |استقال من |استقالت من |أقلع عن "
    r"|أقلعت عن |انتهى |انتهت |ألغي |ألغيت |باع |باعت |كف عن |كفت عن "
    r"|הפסיק |הפסיקה |הפסיקו |כבר לא |עזב |עזבה |עזבו |התפטר מ|התפטרה מ|ויתר על |ויתרה על |נגמל מ|נגמלה מ|בוטל|בוטלה"
    r"|מכר |מכרה |נפרד מ|נפרדה מ"
    r"|छोड़ दिया|छोड़ दी|छोड़ चुका|छोड़ चुकी|बंद कर दिया|बंद कर दी|बंद हो गया|बंद हो गई|अब नहीं |नहीं रहा|नहीं रही"
    r"|रद्द|बेच दिया|बेच दी"
    r"|不再|停止了?|戒掉?了?|辞去了?|辭去了?|辞掉了?|离开了?|離開了?|卖掉了?|賣掉了?|取消了?|放弃了?|放棄了?|离婚|離婚|退出了?|不了|已经没有|已經沒有|没有了|沒有了|关闭了|關閉了|已停"
    r"|をやめました|をやめた|を辞めました|を辞めた|やめた|辞めた|やめました|辞めました|を卒業した|を退職した|を退会した|を引退した|と別れた|を中止した|が中止に|を廃止した|を手放した|を売った|しなくなった"
    r"|なくなった"
    r"|그만두었다|그만뒀다|그만두었습니다|그만뒀습니다|끊었다|끊었습니다|더 이상 |더는 |떠났다|떠났습니다"
    r"|퇴사했다|퇴사했습니다|취소되었다|취소됐다|팔았다|팔았습니다|폐지되었다|탈퇴했다"
)
"""By which words something is over."""
_NOISE = frozenset(
    [
        "в",
        "во",
        "на",
        "из",
        "с",
        "со",
        "от",
        "до",
        "у",
        "и",
        "а",
        "но",
        "по",
        "за",
        "о",
        "к",
        "год",
        "года",
        "лет",
        "з",
        "із",
        "від",
        "та",
        "й",
        "що",
        "это",
        "это",
        "є",
        "був",
        "була",
        "было",
        "был",
        "была",
        "были",
        "σε",
        "στη",
        "στην",
        "στο",
        "στον",
        "από",
        "το",
        "τη",
        "την",
        "της",
        "του",
        "τον",
        "οι",
        "τα",
        "και",
        "να",
        "με",
        "في",
        "عملها",
        "عمله",
        "وظيفتها",
        "وظيفته",
        "من",
        "عن",
        "على",
        "إلى",
        "إن",
        "هو",
        "هي",
        "كان",
        "كانت",
        "أن",
        "ب",
        "של",
        "את",
        "על",
        "עם",
        "הוא",
        "היא",
        "में",
        "से",
        "को",
        "का",
        "की",
        "के",
        "है",
        "हैं",
        "था",
        "थी",
        "थे",
        "और",
        "ने",
        "पर",
        "कर",
        "दिया",
        "दी",
        "हो",
        "गया",
        "गई",
        "了",
        "已",
        "的",
        "在",
        "は",
        "が",
        "を",
        "に",
        "の",
        "で",
        "と",
        "も",
        "ます",
        "です",
        "した",
        "て",
        "い",
        "る",
        "た",
    ]
)
_OF = frozenset(["का", "की", "के", "の", "的", "의"])
_SCRIPTED = re.compile(r"[^\x00-\u024f\W\d_]")
_WIDE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_OPPOSITES = tuple(
    tuple(re.compile(f"(?:{'|'.join(side.split())})") for side in pair.split(" / "))
    for pair in (
        "开启 打开 启用 开放 / 关闭 禁用 停用",
        "開啟 打開 啟用 開放 / 關閉 停用",
        "上线 / 下线",
        "在线 / 离线",
        "免费 / 收费 付费",
        "免費 / 收費 付費",
        "允许 / 禁止",
        "单身 / 已婚",
        "(?<!非)公開 / 非公開",
        "営業中 / 休業中 閉店",
        "無料 / 有料",
        "許可 / 禁止",
        "独身 / 既婚",
        "(?<!비)활성화 / 비활성화",
        "무료 / 유료",
        "(?<!비)공개 / 비공개",
        "허용 / 금지",
        "열려 / 닫혀",
        "켜져 / 꺼져",
        r"수\s있 / 수\s없",
    )
)
"""Opposites of scripts that don't part words, or join them to their endings: the rest has to be the same."""
_DASHED = re.compile(r"^(?P<what>.+?) ?[—–-] (?P<who>.+)$")
_ARTICLE = re.compile(r"^(?:ال|بال|لل|وال|ה|ב|ל|מ)(?=\w{3})")


def is_scripted(text: str) -> bool:
    """Whether it has letters of a script other than the Latin one."""
    return not text.isascii() and bool(_SCRIPTED.search(text))


def excludes_in_script(old: str, new: str, before: Laid, after: Laid) -> tuple[bool, str] | None:
    """Whether the newer statement denies or ends what the older one says (True), or tells another holder of a role
    (False), and by which words; None where it does neither."""
    if not is_scripted(old) or not is_scripted(new):
        return None
    mine, yours = fold(old), fold(new)
    names = {fold(word) for word in _words(f"{old} {new}") if word[:1].isupper()}
    over = _OVER.search(yours)
    if over and not _OVER.search(mine) and not before.denied:
        said = _content(_words(_OVER.sub(" ", yours)))
        known = _content(_words(mine))
        if said and _covered(said, known, names) and len(said) > 1 - bool(_WIDE.search(new)):
            return True, over[0].strip()
        return None
    if (before.denied + after.denied) % 2 and before.past == after.past:
        denied, told = (before, after) if before.denied % 2 else (after, before)
        said, known = _content(denied.said), _content(told.said)
        if len(said) > 1 and _covered(said, known, names) and (told is after or len(known) <= len(said)):
            return True, " ".join(denied.said)
        return None
    if turned := _opposite(mine, yours):
        return True, turned
    one, other = (_DASHED.match(text.strip(" .。")) for text in (old, new))
    if one and other and fold(one["what"]) == fold(other["what"]) and " " in one["what"]:
        named = one["who"][:1].isupper() and other["who"][:1].isupper()
        return (False, other["who"]) if named and fold(one["who"]) != fold(other["who"]) else None
    became = None if (before.denied + after.denied) % 2 else becomes_in_script(old, new)
    return (False, became) if became else None


def _opposite(old: str, new: str) -> str | None:
    """By which word the newer one says the opposite of the older one, in the same words else."""
    for pair in _OPPOSITES:
        for one, other in (pair, pair[::-1]):
            if one.search(old) and other.search(new) and not other.search(old) and not one.search(new):
                rests = [
                    sorted(_content(map(_unmarked, _words(side.sub(" ", text)))))
                    for side, text in ((one, old), (other, new))
                ]
                return other.findall(new)[0] if rests[0] == rests[1] and len(rests[0]) > 1 else None
    return None


_PARTICLE = re.compile(r"(?<=[\uac00-\ud7a3]{2})(?:은|는|이|가|을|를|도)$")


def _unmarked(word: str) -> str:
    """A Korean noun without the particle that marks what it is in the sentence."""
    return _PARTICLE.sub("", word)


def _words(text: str) -> list[str]:
    if _WIDE.search(text):
        return re.findall(r"\d+|[\u4e00-\u9fff]|[\u3040-\u30ff]+|[^\W\d_]+", text)
    return re.findall(r"[^\W_]+(?:[\u0300-\u036f\u0900-\u0963'ʼ’]+[^\W_]*)*", text)


def _content(said: Iterable[str]) -> list[str]:
    return [_ARTICLE.sub("", word) for word in said if word not in _NOISE and not word[0].isdigit()]


def _covered(part: list[str], whole: list[str], names: set[str]) -> bool:
    """Whether each word is there, in whatever form."""
    return all(any(_alike(one, two, names) for two in whole) for one in part)


def _alike(one: str, two: str, names: set[str]) -> bool:
    if one == two:
        return True
    if {one, two} & names and len(one) != len(two) and not one.startswith(two) and not two.startswith(one):
        return False  # Maria is not Marina
    short = min(len(one), len(two))
    least = 2 if short <= 3 else 3 if short <= 5 else short - 3
    return short > 1 and one[:least] == two[:least] and abs(len(one) - len(two)) <= 4


_OF_MANY = re.compile(
    r"(?:люб(?:ит|лю|им|ят)|нравит|обожа|ненавид|читает|смотрит|слушает|говорит|играет|знает|пь[её]т|ест|увлека|собира"
    r"|занима|посеща|подобається|полюбля|розмовля|грає|αγαπ|αρέσ|διαβάζ|μιλά|παίζ|ακού|πίν|τρώ|ξέρ|[يت]حب|[يت]تحدث|[يت]تكلم"
    r"|[يت]قرأ|[يت]لعب|[يت]شرب|[يت]أكل|[يت]عرف|אוהב|מדבר|קורא|משחק|מנגן|שות|אוכל|יודע|पसंद|बोल|पढ़|खेल|पी|खा)"
)


def has_many(before: Iterable[str]) -> bool:
    """Whether one of the words is a verb whose object may be one of many: who likes the opera may like the ballet."""
    return any(_OF_MANY.match(word) for word in before)


def of_another(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether one side speaks of what is somebody's, and the other of somebody."""
    return bool(_OF & ({*one} ^ {*other}))


def are_forms(one: str, other: str) -> bool:
    """Whether two words may be forms of one: in Samara, to Samara."""
    short = min(len(one), len(other))
    return short >= 4 and one[: short - 1] == other[: short - 1] and abs(len(one) - len(other)) <= 2
