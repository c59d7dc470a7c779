"""Pairs that a detector by words gets wrong easily: next to each that is no contradiction stands one that is."""

from datetime import UTC, datetime, timedelta

import pytest

from graphmem.model.knowledge import Claim
from graphmem.rules.contradiction import check

MONDAY = datetime(2026, 1, 5, tzinfo=UTC)
PAIRS = {
    "due is no reason": """
- The new firmware is due to ship in March. | The new firmware is ready.
+ The new firmware is due to ship in March. | The new firmware is due to ship in May.
- The new phone is due to ship on Monday. | The new phone is small.
    """,
    "left, the side": """
- Ana has broken her left arm. | Ana has her arm in a cast.
- Ana wears a watch on her left arm. | Ana wears a watch.
- Ana's left arm is broken. | Ana's arm is broken.
- Ana writes with her left hand. | Ana broke her left arm.
- Ana injured her arm. | Ana injured her left arm.
- Ana plays with her arm in a sling. | Ana has hurt her left arm.
- Ana works in the department. | Ana works with her left arm.
    """,
    "a department is no leaving": """
- Ana leaves the house at eight. | Ana's department has moved.
- Ana runs the department. | Ana left the apartment.
- The department is in Bonn. | Ana leaves Bonn.
- Ana's department leads the project. | Ana leaves the project.
    """,
    "dates with the day first": """
+ The contract ends on 31 March 2026. | The contract ends on 30 April 2026.
+ The deadline is 14 May. | The deadline is 14 June.
- The deadline is 14 May. | The deadline is May 14.
- The contract ends on 31 March 2026. | The contract ends on 2026-03-31.
- The contract ends on 31 March 2026. | The contract ends on 31.03.2026.
+ The contract ends on 31 March 2026. | The contract ends on 31 March 2027.
+ The launch is on 14 May. | The launch is on 14 April.
+ The audit is planned for 14 May. | The audit is planned for 20 May.
- The wedding is on 14 May. | The wedding is in May.
    """,
    "who doesn't work there is not broken": """
- The coffee machine works. | Ana doesn't work at the bar.
- The dishwasher is broken. | Ana doesn't work at the bar.
- Max works. | Max doesn't work at the bar.
- Tom is functional. | Tom doesn't work at the bar.
+ Tom works at the bar. | Tom doesn't work at the bar.
- The lift works. | The lift doesn't work at night.
+ The lift works. | The lift doesn't work.
    """,
    "not disabled is enabled": """
- Logging is enabled. | Logging is not disabled.
+ Logging is disabled. | Logging is not disabled.
- Search is not disabled. | Search is enabled.
- Ana is not disabled. | Ana is able.
+ Logging is not disabled. | Logging is disabled.
    """,
    "sums of money": """
+ The coffee costs 3 euros. | The coffee costs 3.50 euros.
+ A ticket is 3 euros. | A ticket is 3.50 euros.
+ The ticket costs 3.50 euros. | The ticket costs 3 euros.
- The server runs Python 3. | The server runs Python 3.11.
+ A coffee at Mira's is 3 euros. | A coffee at Mira's is 3.50 euros.
+ The price of the soup is 4.50 euros. | The price of the soup is 4 euros.
    """,
    "a gift is no handover": """
- Ana has a key. | Ana gave Max a key.
- Ana has a key to the shed. | Ana gave Max a key to the shed.
+ Ana runs the newsletter. | Ana gave the newsletter to Max.
- Ana has a recipe for bread. | Ana gave Max a recipe for bread.
- Ana leads the team. | Ana gave the team a cake.
+ Ana has the key to the shed. | Ana gave the key to the shed to Max.
    """,
    "not off is on": """
- The heating is on. | The heating is not off.
- The heating is not off. | The heating is on.
+ The heating is off. | The heating is not off.
- The alarm is off. | The alarm isn't on.
    """,
    "some, and not all": """
- Some trains stop here. | Not all trains stop here.
- Not all trains stop here. | Some trains stop here.
- Some shops are open on Sundays. | Not all shops are open on Sundays.
+ All trains stop here. | Not all trains stop here.
- Many students passed. | Not all students passed.
- Some tests fail on Windows. | Not all tests fail on Windows.
- A few windows are broken. | Most windows are intact.
+ Most windows are broken. | Most windows are intact.
    """,
    "identifiers are one word": """
- The users table has an index. | The user_settings table has no index.
- The service writes to users. | The service no longer writes to user_settings.
- The users table is partitioned. | The user_settings table is not partitioned.
- users has 12 columns. | user_settings has 4 columns.
- Table users is stored in Postgres. | Table user_settings is stored in Redis.
- The table users is encrypted. | The table user_settings is unencrypted.
- users is encrypted. | user_settings is not encrypted.
+ user_settings is encrypted. | user_settings is not encrypted.
+ user_settings is encrypted. | user-settings is not encrypted.
+ The default table is users_old. | The default table is users_new.
    """,
    "states of work, health and software": """
+ Paul is unemployed. | Paul has a job.
+ Paul is unemployed. | Paul has got a job at the port.
- Paul is a nurse. | Paul has a job at the port.
- Paul is employed at the mill. | Paul has a new job.
+ Paul is in hospital. | Paul is out of hospital.
+ Paul is in the hospital. | Paul is home from hospital.
- Paul works in a hospital. | Paul is out of hospital.
- The clinic is in hospital grounds. | Paul is home from hospital.
+ The feature is experimental. | The feature is stable.
- The feature is experimental. | The feature is fast.
+ order_id is an integer. | order_id is a string.
- order_id is an integer. | customer_id is a string.
- The id is an integer. | The name is a string.
+ The dog is alive. | The dog has died.
- Ana's dog is alive. | Ana's aunt has died.
+ Ana's grandfather is alive. | Ana's grandfather has passed away.
- Ana passed the exam. | Ana passed away.
+ Tim's phone is an iPhone. | Tim's phone is a Pixel.
- Tim's phone is an iPhone. | Tim's phone is broken.
- Tim's phone is an iPhone. | Tim's laptop is a ThinkPad.
+ Ana's doctor is Dr. Weiss. | Ana's doctor is Dr. Braun.
- Ana's doctor is Dr. Weiss. | Ana's doctor is patient.
- Ana's doctor is Dr. Weiss. | Ana's dentist is Dr. Braun.
    """,
    "labels of a record, and who treats whom": """
- Ana's coach is Dr. Weiss. | Ana's dentist is Dr. Braun.
- Ana's coach is Weiss. | Ana's dentist is Braun.
- Ana's doctor is Weiss. | Ana's dentist is Braun.
- Ana's vet is Dr. Weiss. | Ana is examined by Dr. Braun.
- Ana's dentist is Dr. Weiss. | Ana is treated by Dr. Braun.
- Ana's doctor is Dr. Weiss. | Ana's lawyer is Dr. Braun.
- The id is an integer. | The title is a string.
- The key is an integer. | The name is a string.
- The id is active. | The name is inactive.
+ The id is an integer. | The id is a string.
+ Ana's dentist is Dr. Weiss. | Ana's dentist is Dr. Braun.
+ Ana's vet is Dr. Weiss. | Ana's vet is Dr. Braun.
+ Ana's doctor is Dr. Weiss. | Ana is treated by Dr. Braun.
    """,
    "what has not ended": """
- The offer is still valid. | The offer has not expired.
- Ana works at the bakery. | Ana has not left the bakery.
- Ana plays chess. | Ana never gave up chess.
- The course runs weekly. | The course has not been cancelled.
- The course runs weekly. | The course hasn't been cancelled.
+ The course runs weekly. | The course has been cancelled.
+ Ana smokes. | Ana has stopped smoking.
+ The offer is valid. | The offer has expired.
    """,
    "who has not stopped goes on": """
- Ana smokes. | Ana hasn't stopped smoking.
- Ana smokes. | Ana has not quit smoking.
+ Ana smokes. | Ana has stopped smoking.
+ Ana has stopped smoking. | Ana hasn't stopped smoking.
+ Ana doesn't smoke. | Ana hasn't stopped smoking.
- We use Jenkins. | We have not stopped using Jenkins.
    """,
    "not one-way is not no way": """
- The street is not one-way. | The street is two-way.
+ The street is one-way. | The street is not one-way.
+ Not one guest came. | A guest came late.
    """,
    "open at an hour, and from it on": """
- The shop is open at nine. | The shop doesn't open until eight.
- The shop is open at ten. | The shop opens at eight.
+ The shop opens at nine. | The shop doesn't open until ten.
+ The shop is open at ten. | The shop is closed at ten.
+ The shop is open on Sundays. | The shop is closed on Sundays.
    """,
    "back, now or in a while": """
+ Jon is on holiday. | Jon is back.
- Jon is on holiday. | Jon is back in October.
    """,
    "what is to be is not yet": """
- Max is the lead. | Lena is to become the lead.
+ Max is the lead. | Lena has become the lead.
- The port is 8080. | We should change the port to 9090.
+ The port is 8080. | We changed the port to 9090.
    """,
    "moved from the shed to the garage": """
+ The bikes are in the shed. | The bikes were moved to the garage.
+ The keys are in the drawer. | The keys have moved to the safe.
- The boxes are in the hall. | The piano was moved to the cellar.
- The team is on track. | The team moved to the third floor.
- The project is in trouble. | The project moved to the new team.
- The release is in the backlog. | The release moved to May.
- Ana is in the garden. | Ana moved to Berlin.
    """,
}
"""Older | newer; `+` where the newer one says that the older one no longer holds."""


@pytest.mark.parametrize(
    "pair",
    [pytest.param(line, id=f"{kind}: {line}") for kind, pairs in PAIRS.items() for line in pairs.split("\n")[1:-1]],
)
def test_one_word_makes_the_difference(pair: str) -> None:
    old, new = pair[2:].split(" | ")
    verdict = check(Claim(content=old, created_at=MONDAY), Claim(content=new, created_at=MONDAY + timedelta(days=10)))
    assert verdict.conflict is pair.startswith("+"), verdict
