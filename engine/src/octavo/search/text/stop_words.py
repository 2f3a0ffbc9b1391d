"""Words of a question that a page need not contain to answer it: English ones, and those of other languages that a site is in."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from octavo.search.text.scripts import fold

_WORDS = """
a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my of
on or our should so than that the their them then there these they this those to was we were what when where which
while who why will with would you your
"""

STOP_WORDS = frozenset(_WORDS.split())

FURTHER = {
    "cs": """
a aby ale ani ano az bude by byl byla bylo byt co dal do ho i ja jak jake jako je jeho jej jeji jejich jsem jsi jsme jsou k kam kde kdo
kdyz ke ktera ktere ktery ma mam me mezi mi mne mohu moje muj muze na nad nas nebo nez o od pak po podle pokud pred pri pro proc protoze s
se si sve svuj ta tak take takze ten tento ti to toto tu u uz v vam vas ve vy z za ze
""",
    "da": """
af alle at blev blive bliver da de dem den denne der deres det dette dig din disse dog du efter eller en end er et for fra ham han hans
har havde hun hvad hvem hver hvilken hvis hvor hvordan hvorfor i jeg kan kunne man med mig min mit mod naar nar og om op os over pa paa sa
sig sin skal skulle som til ud under vaere vaeret ved vil ville vores
""",
    "de": """
aber alle als am an andere auch auf aus bei beim bis da dabei dafur damit dann das dass dem den denn der deren des dessen die dies diese
diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas fur gegen geht gibt hab habe haben hat hatte
hatten hier ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jetzt kann kannst konnen konnte
konnten machen machst man mein meine meinem meinen meiner mich mir mit mochte mochten muss mussen musst nach noch nun nur ob oder sein
seine seit sich sie sind so soll sollen sollte sollten uber um und uns unser unsere vom von vor wann waren warum was welche welchem
welchen welcher welches wenn wer werde werden wie wieso will wir wird wo wohin wollen wollte wurde wurden zu zum zur
""",
    "es": """
a al algo ante aqui asi aun aunque bajo cada como con cual cuales cuando de del desde donde e el ella ellas ellos en entre era eres es esa
ese eso esta estan estar estas este esto estos estoy fue hace hacer hacia han has hasta hay he hemos la las le les lo los mas me mi mis
mucho muy nos o para pero por porque puede pueden puedo que quien quiero se ser si sobre son soy su sus tambien te tener tengo tiene
tienen tu tus u un una unas uno unos y ya yo
""",
    "fi": """
ehka en etta ja joka jos jotka kanssa koska kuin kuinka kuka kun ma me mika miksi milla mina minun missa mista mita miten mitka mutta myos
nama ne niiden niin oli olla on onko ovat ovatko se sen siita sina sita tai tama te tuo vaan vai voi voiko voin voinko voit
""",
    "fr": """
a ainsi alors apres au aucun aussi autre aux avant avec avez avoir avons ca car ce ceci cela celle celles celui ces cet cette ceux chaque
chez comme comment d dans de depuis des dois doit donc dont du elle elles en entre es est et etait etes etre eu eux faire fait faut il ils
j je l la le les leur leurs lors lorsque lui m ma mais me meme mes moi mon n ne nos notre nous on ont ou par parce pendant peut peux pour
pourquoi puis qu quand que quel quelle quelles quels qui quoi s sa se sera ses si soit son sont sous suis sur t ta te tes toi ton tous
tout tres tu un une va vers veux vos votre vous y
""",
    "hu": """
a abban ahhoz akkor amely ami az azok azt be egy ehhez el en es ez ezek ezt fel ha hogy hogyan hol honnan hova is itt kell ki le lehet
lesz meg mert mi miert mikor mint mit mivel most nekem ott s tud tudok ugy vagy vagyok van vannak
""",
    "it": """
a ad agli al alla alle allo anche che chi coi col come con cosa cui d da dagli dai dal dalla dalle dallo degli dei del della delle dello
deve devo di dopo dove e ed era essere fa faccio fare fra gli hai hanno ho i il in l la le lei li lo loro lui ma mi mia mie miei mio nei
nel nella nelle nello noi nostro o per perche piu possiamo posso puo puoi qual quale quali quando quanto quella quelle quelli quello
questa queste questi questo se sei si sia sono su sua sue sui sul sulla sulle suo suoi ti tra tu tua tuo un una uno voglio
""",
    "nl": """
aan al alle als ben bent bij binnen dan dat de deze die dit door dus een eens en er ga gaat geen haar had heb hebben heeft hem het hier
hij hoe hun iets ik in is ja je jij jou jouw jullie kan kun kunnen maar me meer men met mij mijn moet moeten mogen na naar nog of om omdat
ons onze ook op over te toch toen tot u uit uw van veel voor waar waarom wanneer was wat we wel welk welke wie wij wil willen word worden
wordt ze zelf zich zij zijn zo zou
""",
    "no": """
alle at av ble bli blir da de deg dem den denne der deres det dette din disse du eller en enn er et etter for fra han har hun hva hvem
hver hvilke hvilken hvis hvor hvordan hvorfor i jeg kan kunne man med meg men min mitt mot na naar nar noe og om opp oss over pa sa seg
sin skal skulle som til ut vaere vaert vart ved vil ville
""",
    "pl": """
a aby ale az bo by byc byl byla bylo co czy czyli dla do gdy gdzie i ich ile im inne ja jak jaka jaki jakie jako je jego jej jesli jest
jezeli juz kazdy kiedy kto ktora ktore ktory lub ma mam mi mnie moga moge moj moje moze mozna musze my na nad nam nas niz o od on oraz po
podczas poniewaz przed przez przy sa sie skad soba swoj ta tak takie tam te tego tej ten to tu ty tym u w we wiec z za ze zeby
""",
    "pt": """
a ao aos aquela aquele aquilo as ate com como da das de dela dele deles depois do dos e ela elas ele eles em entre era essa essas esse
esses esta estao estar estas este estes estou eu faco fazer foi isso isto ja la lhe mais mas me meu meus minha minhas muito na nas no nos
nossa nosso num numa o onde os ou para pela pelas pelo pelos pode podem por porque posso quais qual quando quanto que quem quero se ser
seu seus si sobre sua suas tambem te tem tenho ter teu tua um uma umas uns voce voces
""",
    "ro": """
a aceasta acest aceste acestei acestui acum al ale am ar are as asa asta atunci au avea ca cand care cat ce cel cele cine cu cum da daca
dar de deci din dintre doar dupa e ea ei el ele era este eu fie fiecare fost il imi in inainte intr intre la le lor lui ma mai mea mele
meu mi ne noi o ori pana pe pentru poate pot prin s sa sau se si spre sub sunt ta te tu un una unde unei unui va voi vor vreau
""",
    "ru": """
а бы был была были было быть в вам вас весь во вот все всего вы где да для до его ее если есть еще же за здесь и из или им их к как какая
какие какого какой ко когда которая которые который кто ли между меня мне можно мои моя мы на над надо нам нас него нее них но нужно о об
он она они оно от по под после потому почему при с сам свои себя со так также такое такой там тебя тем то того той только том ты у уже чем
через что чтобы эта эти это этого этом этот я
""",
    "sv": """
alla allt at att av bli blir da de dem den denna deras dess dessa det detta dig din dina ditt du efter eller en er ett for fran han har
hennes hon hos hur i in jag kan kunna man med mellan men mig min mina mitt mot nagon nagot nar ni och om oss over pa sa sin sina sitt ska
skall skulle som till under upp ut vad vara varfor vart vem vid vilka vilken vilket vill
""",
    "tr": """
acaba ama ancak bana bazi belki ben beni benim bir biz bu buna bunu bunun da daha de defa diye eger en gibi hangi hem hep her icin ile ise
kadar ki kim mi mu musun nasil ne neden nedir nerede nereye niye o olan olarak olur ona onu onun sana sen seni senin siz su ve veya ya
yani yapabilirim
""",
    "uk": """
а би був була були було бути в вам вас ви вона вони воно все від він где де для до ж з за й його коли кому котра котрий кто мене мені ми
можна можу моя мої між на над нам нас неї них ні о об он от по при про під після с свої себе со так такий також там те теж ти тим то того
тому тут у уже хто це цей цього ці через чи чому що щоб я як яка яке який якщо які і із їх її
""",
}
"""Language → such words. Negations are none: `ohne`, `sans` and `not` say what is asked for. Nor are words that
developers of all languages write of something else: `ai`, `ci`, `go`, `pod`, `var`."""

_SAME = {"nb": "no", "nn": "no"}

_ENGLISH_AS_WELL = frozenset(
    ["come", "die", "dos", "era", "es", "hat", "hem", "man", "pour", "son", "till", "ton", "under"]
)
"""Words of these that mean something else in English, and count where a site is in English too."""


def further_stop_words(languages: Iterable[str]) -> frozenset[str]:
    """Gather such words of the languages that a site's pages are said to be in, but for English.

    Args:
        languages: Tags, as `de-CH`.
    """
    return _gather(frozenset(tag.lower().partition("-")[0] for tag in languages))


@lru_cache(maxsize=64)
def _gather(languages: frozenset[str]) -> frozenset[str]:
    found = {fold(word) for one in languages for word in FURTHER.get(_SAME.get(one, one), "").split()}
    return frozenset(found - _ENGLISH_AS_WELL if "en" in languages else found)
