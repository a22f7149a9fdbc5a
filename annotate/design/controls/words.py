"""The English words that the rules use: closed classes, common verbs with their forms, common nouns."""

from dataclasses import dataclass


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _map(pairs: str) -> dict[str, tuple[str, ...]]:
    """ "in:on,at of:from" as a mapping; "_" is a blank."""
    entries = [pair.split(":") for pair in pairs.split()]
    entries_by_word = {word: tuple(others.replace("_", " ").split(",")) for word, others in entries}
    if len(entries_by_word) < len(entries):
        raise ValueError(f"a word occurs twice in {pairs}")
    return entries_by_word


SUBJECTS_SINGULAR = _set("he she it")
SUBJECTS_PLURAL = _set("we they you")
SUBJECTS = SUBJECTS_SINGULAR | SUBJECTS_PLURAL | {"i"}
ARTICLES = _set("a an the")
POSSESSIVES = _set("my your his her its our their")
DETERMINERS = (
    ARTICLES | POSSESSIVES | _set("this that these those some any each every another no all both such")
)
BE = _set("is are was were am be been being 's 're 'm")
HAVE = _set("have has had 've")
DO = _set("do does did")
MODALS = _set("can could will would shall should may might must 'll 'd ca wo")
NOT = _set("not n't")
AUXILIARIES = BE | HAVE | DO | MODALS
PREPOSITIONS = _set(
    "of in on at for to from with by about into during without between among through after before against "
    "under over since until towards within as than like"
)
CONJUNCTIONS = _set("and or but because that which who when if while where although so whether though")
FUNCTION_WORDS = (DETERMINERS | AUXILIARIES | PREPOSITIONS | CONJUNCTIONS | SUBJECTS | NOT) | _set(
    "to me him us them there here what how why whom whose not only also very too more most much many few "
    "little less least other others same own own one ones two three then now up out off down back away again "
    "just even still yet ever never always often well such else both either neither enough lot couple bit "
    "rather quite let self himself herself itself themselves myself yourself ourselves everyone someone "
    "anyone nobody everything something anything nothing however therefore thus hence moreover furthermore "
    "perhaps maybe"
)
NOUN_LIKE = _set("one ones own other others same self most more less least many few little")
"""Function words that may go on with a noun phrase."""

ADVERBS = _set(
    "always often never usually really already still sometimes easily quickly probably actually certainly "
    "definitely mostly simply strongly slowly finally"
)
BEFORE_VERBS = ADVERBS | NOT | _set("also only just even")
"""Words that may stand between an auxiliary and its verb."""

OBJECTS = _set("him them me us")
SUBORDINATORS = _set("because although that but if when")
SAYING = _set("think believe know say said hope agree feel means fact idea")
INTRODUCTIONS = _set(
    "however therefore moreover furthermore firstly secondly finally example addition hand conclusion result"
)
QUESTION_WORDS = _set("why what how where when who which")

MANY = _set(
    "many these those several few both various different numerous two three four five six seven eight nine "
    "ten some other all most certain such"
)
"""Words that stand before a noun in the plural."""

ONE = _set("a an another each every one this")
"""Words that stand before a noun in the singular."""

NEVER_WITH_AN_ARTICLE = _set(
    "information advice knowledge equipment homework research evidence furniture money traffic progress "
    "music weather software news luck pollution transport employment access privacy"
)
"""Nouns that "a" cannot precede."""

UNCOUNTABLE = NEVER_WITH_AN_ARTICLE | _set(
    "health education technology work water air food violence behaviour behavior feedback help training "
    "pressure freedom"
)
NEVER_PLURALISED = UNCOUNTABLE | _set(
    "people children men women police media data lot few bit couple while little"
)
IRREGULAR_NUMBER = _map(
    "people:peoples children:childrens,childs men:mans women:womans information:informations advice:advices "
    "knowledge:knowledges equipment:equipments homework:homeworks furniture:furnitures evidence:evidences "
    "feet:foots teeth:tooths lives:lifes wives:wifes"
)
NOT_PLURALS = _set(
    "is was has does this us yes always perhaps sometimes afterwards besides towards thus plus its his hers "
    "ours theirs yours as gas bus news series species physics mathematics politics economics means lens "
    "james various previous serious famous religious dangerous obvious conscious numerous nervous across "
    "unless whereas less process access success stress address class glass pass mass loss cross business "
    "illness happiness analysis basis crisis thesis diagnosis status virus campus focus bonus census "
    "christmas nowadays overseas indoors outdoors upwards downwards forwards backwards thanks"
)

ADJECTIVES = _set(
    "different important big small new old good bad long short social public young large great main major "
    "common serious special personal difficult easy happy beautiful famous popular modern local whole "
    "interesting strong cheap expensive huge useful economic political medical genetic financial "
    "international national natural normal similar possible negative positive free high low early best nice "
    "little rich poor human real"
)

PREPOSITION_SWAPS = _map("in:on on:in at:on for:of of:from by:from from:of to:at during:while since:for")
"""Learners' replacements for a preposition, only those that are wrong in nearly every context."""

SWAPPED_AFTER = {
    "of": _set(
        "age advantage advantages disadvantage disadvantages amount case chance cost day form forms idea "
        "importance lack level list number piece possibility price process purpose quality risk sense side "
        "sort sorts type types use view way ways"
    ),
    "for": ADJECTIVES | _set("easier harder better worse enough dangerous harmful necessary ready"),
}
"""Where a preposition has to stand behind certain words for its exchange to be wrong: elsewhere "a user from
the site" is as good as one of it."""

COUNTS = _set("two three four five six seven eight nine ten twenty many several some few")
DURATIONS = _set("seconds minutes hours days weeks months years decades centuries")

SET_PHRASES = _map("of:course,all in:order,fact at:least for:example,instance by:no to:me")
"""Prepositions whose exchange would look like a slip of the hand in these phrases."""

GOVERNED = _map(
    "listen:to listens:to listened:to listening:to depend:on depends:on depended:on wait:for waiting:for "
    "waited:for look:at,for looking:at,for looked:at,for belong:to belongs:to interested:in according:to "
    "because:of instead:of lead:to leads:to led:to leading:to consist:of consists:of focus:on rely:on "
    "deal:with dealing:with suffer:from suffering:from agree:with afraid:of aware:of capable:of due:to "
    "thanks:to related:to responsible:for different:from similar:to one:of some:of most:of many:of lot:of "
    "lots:of number:of kind:of part:of all:of out:of front:of talk:about,to talking:about,to worry:about "
    "care:about,for contribute:to refer:to refers:to base:on based:on result:in results:in apply:for "
    "participate:in believe:in concentrate:on spend:on"
)
"""Words that require a preposition, and which ones."""

UNGOVERNED = _map(
    "discuss:about discussed:about discussing:about mention:about mentioned:about despite:of enter:into,to "
    "reach:to reached:to marry:with married:with contact:with visit:to visited:to visiting:to answer:to "
    "answered:to emphasize:on emphasise:on face:with facing:with affect:to affects:to join:to joined:to "
    "tell:to told:to ask:to asked:to improve:on request:for requested:for attend:to attended:to approach:to "
    "influence:on influences:on regarding:about lack:of lacks:of"
)
"""Words that take no preposition, and which ones learners give them."""

DEFINITE = _set(
    "same first second most best only whole world internet end beginning other majority rest past "
    "government environment worst biggest largest highest number main following sun city country very"
)
"""Before these words "the" can hardly be left out."""

TAKES_INFINITIVE = _set(
    "want wants wanted need needs needed try tries tried trying able going used decide decided decides order "
    "hope hopes hoped plan plans planned seem seems seemed like likes start started begin began likely ready "
    "have has had ought allow allowed learn learned refuse refused agree agreed tend tends easy difficult "
    "hard important necessary possible way ability right time opportunity chance"
)
GERUND_AFTER_TO = _set("forward used due addition accustomed opposed dedicated devoted key related close")

CONFUSIONS = _map(
    "their:there,thier there:their,ther than:then then:than too:to lose:loose its:it's quite:quiet "
    "were:where which:wich with:whit because:becouse,becuase believe:beleive receive:recieve friend:freind "
    "friends:freinds people:poeple beautiful:beatiful,beautifull definitely:definately "
    "environment:enviroment government:goverment necessary:neccessary,necesary different:diffrent,diferent "
    "important:importent until:untill tomorrow:tommorow interesting:intresting really:realy whether:wether "
    "writing:writting beginning:begining separate:seperate successful:succesful through:trough "
    "thought:tought know:now where:were weather:whether advice:advise affect:effect whose:who's "
    "children:childrens although:altough especially:expecially knowledge:knowlege language:langauge "
    "problem:probleme problems:problemes would:wuold should:shoud could:coud before:befor always:allways "
    "another:an_other without:whitout something:somthing sometimes:sometime also:allso every:evry "
    "first:frist very:verry since:sience about:abaut just:jsut this:tihs that:taht great:grate your:you're "
    "want:wont after:affter"
)


@dataclass(frozen=True, slots=True)
class Verb:
    """The forms of a verb."""

    base: str
    third: str
    past: str
    participle: str
    gerund: str


_IRREGULAR = """
    go went gone | make made made | take took taken | give gave given | get got got | see saw seen
    know knew known | think thought thought | say said said | come came come | become became become
    find found found | tell told told | feel felt felt | leave left left | bring brought brought
    begin began begun | keep kept kept | write wrote written | speak spoke spoken | eat ate eaten
    drink drank drunk | choose chose chosen | buy bought bought | teach taught taught | learn learned learned
    lose lost lost | pay paid paid | meet met met | send sent sent | build built built | spend spent spent
    grow grew grown | drive drove driven | fall fell fallen | forget forgot forgotten | win won won
    understand understood understood | break broke broken | catch caught caught | sell sold sold
    show showed shown | lead led led | hear heard heard | run ran run | sit sat sat | stand stood stood
    sleep slept slept | wear wore worn | fly flew flown | swim swam swum | sing sang sung | mean meant meant
    hold held held | rise rose risen | draw drew drawn | do did done | have had had
"""
_REGULAR = _set(
    "work live use want need like look ask help try play move believe allow cause change create decide "
    "develop discover enjoy explain follow happen improve include increase reduce introduce join listen love "
    "provide produce protect reach receive require return save seem share solve start stay stop study suffer "
    "support talk travel visit wait walk watch wish worry affect agree arrive attend avoid carry clean "
    "consider contain continue cook depend describe destroy discuss encourage end ensure enter exist expect "
    "finish focus inform invite involve lack manage mention notice occur offer open organize own pass prefer "
    "prepare prevent promise prove publish realize refer refuse relate rely remain remember repeat replace "
    "report respect result apply achieve accept add answer appear call remove record compare complete "
    "maintain communicate contribute face suggest test treat influence exercise"
)
_DOUBLING = _set("get begin forget win run sit swim stop occur prefer refer")
NOUN_TOO = _set(
    "work live use need look help try play move cause change increase love return share start stay stop "
    "study support talk travel visit walk watch wish worry end exist focus lack offer open own pass promise "
    "report respect result answer call record face test treat influence exercise show rise run drive stand "
    "break drink fall meet lead sleep catch mean like fly clean cook notice feel find buy win draw hold sing "
    "swim"
)
"""Verbs that may as well be nouns or adjectives, so that only a pronoun or an auxiliary tells."""


def _regular_past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return (base + base[-1] if base in _DOUBLING else base) + "ed"


def _third(base: str) -> str:
    if base == "have":
        return "has"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "sh", "ch", "x", "o")) else "s")


def _gerund(base: str) -> str:
    if base.endswith("e") and not base.endswith("ee"):
        return base[:-1] + "ing"
    return (base + base[-1] if base in _DOUBLING else base) + "ing"


def _verbs() -> list[Verb]:
    irregular = [entry.split() for entry in _IRREGULAR.replace("\n", " | ").split("|") if entry.strip()]
    regular = [[base, _regular_past(base), _regular_past(base)] for base in sorted(_REGULAR)]
    return [
        Verb(base, _third(base), past, participle, _gerund(base))
        for base, past, participle in irregular + regular
    ]


_VERBS = _verbs()
BY_BASE = {verb.base: verb for verb in _VERBS}
BY_THIRD = {verb.third: verb for verb in _VERBS}
BY_PAST = {verb.past: verb for verb in _VERBS}
BY_PARTICIPLE = {verb.participle: verb for verb in _VERBS}
BY_GERUND = {verb.gerund: verb for verb in _VERBS}
FINITE = BY_BASE.keys() | BY_THIRD.keys() | BY_PAST.keys()


def plural(noun: str) -> str:
    """The regular plural."""
    return _third(noun)


def singular(noun: str) -> str | None:
    """The singular of what looks like a regular plural; None for what does not."""
    if (
        len(noun) < 4
        or not noun.endswith("s")
        or noun.endswith(("ss", "us", "is", "'s"))
        or noun in NOT_PLURALS
    ):
        return None
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    return noun[:-2] if noun.endswith(("ches", "shes", "xes", "sses", "oes")) else noun[:-1]
