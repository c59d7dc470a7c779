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
    "what is a part of it, or beside it": """
- The pharmacy is closed on Sundays. | The pharmacy's night counter is open on Sundays.
- The museum is closed. | The museum's shop is open.
- The museum is closed. | The shop in the museum is open.
- checkout runs on port 8080. | checkout's metrics endpoint runs on port 9090.
- checkout runs on port 8080. | checkout-worker runs on port 8081.
- The billing cache is enabled. | The billing service cache warmer is disabled.
- The house has two floors. | The house next door has three floors.
- The café closes at six. | The café's terrace closes at ten.
- The café closes at six. | The café opposite closes at ten.
- The Berlin office has 20 employees. | The Berlin office of the parent company has 200 employees.
- The company has 20 employees. | The parent company has 200 employees.
- The lift is broken. | The goods lift works.
- The app is free. | The pro version of the app costs 5 euros.
- The API requires a token. | The health endpoint of the API doesn't require a token.
- The database is encrypted. | The database backups are unencrypted.
- payments uses Kafka. | payments's tests use RabbitMQ instead of Kafka.
- payments uses Kafka. | The payments tests switched from Kafka to RabbitMQ.
- Grandma's house is for sale. | Grandma's summer house was sold.
- Carla's contract ends in May. | Carla's phone contract ends in June.
- The backend is hosted in Frankfurt. | The backend's staging copy is hosted in Dublin.
- The branch main is protected. | The branch main-old is not protected.
- The gateway is written in Go. | The gateway's test suite is written in Python.
- The gateway listens on port 80. | The gateway sidecar listens on port 81.
- The gateway times out after 30 seconds. | The gateway's health check times out after 5 seconds.
- The concert is planned for May. | The concert rehearsal was called off.
- Ida leads the choir. | Ole took over the youth choir from Ida.
- Ida leads the choir. | Ole took over the choir's accounts from Ida.
- Ole runs the bar. | The beer garden of the bar is run by Ida.
- Ida's coat is red. | Ida's coat buttons are black.
- The kitchen is clean. | The kitchen floor is dirty.
- The hotel is full. | The hotel bar is empty.
- The hotel bar is full. | The hotel is empty.
- The ship is full. | The ship's lower deck is empty.
- The fridge is full. | The fridge at work is empty.
- The library is open. | The library's garden is closed.
- The café is closed. | The kiosk in the café is open.
- The stadium is full. | The car park of the stadium is empty.
- Spell check is on in the editor. | Spell check is off in Ida's editor.
- The play is planned for May. | The play's dress rehearsal was called off.
    """,
    "of others with a similar name": """
- orders uses Redis. | orders-archive no longer uses Redis.
- billing-eu runs Node 18. | billing-us runs Node 20.
- The eu cluster is enabled. | The us cluster is disabled.
- eu-west is primary. | eu-west-2 is secondary.
- Anna lives in Rome. | Anne lives in Oslo.
- Anna lives in Rome. | The brother of Anna lives in Oslo.
- Anna is married. | The brother of Anna is single.
- Max has a dog. | The neighbour of Max has no dog.
- Max has a dog. | Max's aunt's dog died.
- Max is in hospital. | Max's mother was discharged from hospital.
- orders uses MySQL. | billing replaced MySQL with Postgres.
- orders uses MySQL. | MySQL was replaced by Postgres in orders-archive.
- The March invoice is unpaid. | The April invoice was paid on Friday.
- The invoice from Miller is open. | The invoice from Schmidt was paid.
- The trip to Rome is planned for May. | The trip to Oslo was called off.
- Ben's trip to Rome is planned for May. | Ana's trip to Rome was called off.
- Room 12 is free. | Room 12a is occupied.
- Lisa's bike is red. | Lisa's son's bike is blue.
- Tom's boss is Eva. | Tom's wife's boss is Karl.
- Peter Miller lives in Bern. | Paul Miller lives in Basel.
- Peter Miller lives in Bern. | Peter Meier lives in Basel.
- Mrs Novak teaches maths. | Mr Novak no longer teaches maths.
- Mrs Novak is ill. | Mr Novak is healthy again.
- Ida's wedding is in June. | Ida's sister's wedding is in July.
- Ida is looking for a flat. | Ida's daughter found a flat.
- The parcel for Ben is pending. | The parcel for Ana was delivered.
- search-eu is enabled. | search-us is disabled.
- search-eu has 3 replicas. | search-us has 5 replicas.
- The EU region uses Kafka. | The US region replaced Kafka with Pulsar.
- Ida has a dog. | Ida's neighbour's dog died.
- Ole is in hospital. | Ole's wife was discharged.
- Ole is in hospital. | The patient in Ole's room was discharged.
- The lamp in the hall is broken. | The lamp in the bathroom was repaired.
- Bus 12 stops here. | Bus 12A no longer stops here.
- Gate 3 is open. | Gate 13 is closed.
- Windows 10 is supported. | Windows 11 is not supported.
- Ida's son is a doctor. | Ida's stepson is a baker.
- Ida's mother is alive. | Ida's mother-in-law died.
- Ida's grandmother lives in Kiel. | Ida's great-grandmother lives in Lund.
- Mr Lund teaches Danish. | Mrs Lund no longer teaches Danish.
- Uncle Bo lives in Kiel. | Aunt Bo lives in Lund.
+ Mrs Lund teaches Danish. | Mrs Lund no longer teaches Danish.
    """,
    "the way there and the way back": """
- The ferry to Hven leaves at nine. | The ferry from Hven leaves at ten.
- The road to Lund is open. | The road from Lund to Ystad is closed.
- The path up to the castle is open. | The path down from the castle is closed.
- The lift down to the cellar is broken. | The lift up from the lobby works.
- The bus from Kiel arrives at nine. | The bus to Kiel arrives at ten.
- The road to Kiel is open. | The road from Kiel is closed.
    """,
    "once, for a while, of some, and at other hours": """
- The lamp is on in the hall. | The lamp is off in the kitchen.
- Dark mode is on for staff. | Dark mode is off for customers.
- The alarm is on at night. | The alarm is off during the day.
+ The alarm is on at night. | The alarm is off at night.
- Ben eats cake in the morning. | Ben never eats cake after dinner.
- Ben drinks wine with dinner. | Ben doesn't drink wine before five.
+ Ben drinks wine with dinner. | Ben doesn't drink wine.
- Ida is married to Ole. | Ida was married to Per for ten years.
- Ida is engaged to Ole. | Ida was engaged to Per at university.
+ Ida is engaged to Ole. | Ida got married to Per in June.
- Olga plays tennis. | Olga stopped playing for lunch.
- The search takes 2 seconds. | The search took 9 seconds before the cache was added.
- Rolf works at the dairy. | Rolf once worked at the dairy as a boy.
+ Rolf works at the dairy. | Rolf formerly worked at the dairy.
- Rolf buys bread at the bakery. | Yesterday Rolf bought bread at the station instead of the bakery.
- Rolf walks to school. | Today Rolf walked to the pool instead of to school.
- The team has lunch at noon. | Just this once the team has lunch at one.
- The site runs on our own machines. | The site runs on one of our own machines.
- Ole studies law in Kiel. | Ole moved from a hostel in Kiel to a flat.
- Ole takes a pill every night. | Ole has recently started to take a vitamin pill.
    """,
    "of other things that go the same way": """
- Parcels are sent by post. | Letters are sent by courier instead of by post.
- The shop sells tickets at the counter. | The museum sells tickets online instead of at the counter.
- Offers go out on Mondays. | Bills go out on Fridays instead of on Mondays.
- Our lessons are held in the hall. | The concerts are held in the church instead of the hall.
- The bakery is open on Mondays. | The bakery is open on Sundays.
- The sauna is free on Mondays. | The sauna is free on Fridays.
- The pool is busy on Mondays. | The pool is busy on Sundays.
+ The choir meets on Mondays. | The choir meets on Fridays.
- The mill runs until the end of May. | At the beginning, the mill stood still.
- The orchestra rehearses on Friday. | The youth theatre's rehearsals moved from Friday to Sunday.
- The bakery runs on gas. | It takes two hours to bake the bread.
- The report takes an hour. | It takes two days to get to Lund.
- Per lives in Lund. | Ida and Ole got divorced in May.
- Per lives in Lund with Ida. | Ida and Ole got divorced last May.
+ Per and Ida live together in Lund. | Per and Ida got divorced in May.
- The file store takes only PDFs. | The file manager shows the photos.
- The support portal takes only PDFs. | The support crew shows films.
- The shop is deployed on every merge. | The shop moved to Oslo.
- The booking form is written in Elm. | Form builds have moved to Jenkins.
+ The play is planned for May. | The play was called off.
+ The play is planned for May. | The release of the play was called off.
- Members from abroad pay by card. | The switch for quick-pay is off.
- Ida is married to Ole. | Her married name is Ida Berg.
- Cooks are paid. | Not all cooks have been paid.
- Her name is Ida now. | Lumen has changed its name to Lux.
- The form server runs Node 22. | The scheduler runs on node 4.
    """,
    "deeds that were done to something else, by halves or not at all": """
- The gate is locked. | Ole has unlocked the shed.
- The gate is locked. | Ole wants to unlock the gate.
- The gate is locked. | Ole has not unlocked the gate.
- The invoice is unpaid. | The invoice was not paid.
- The invoice is unpaid. | Half of the invoice was paid on Friday.
- The invoice is unpaid. | The invoice will be paid on Friday.
- The invoice from Berg is unpaid. | The invoice from Lind was paid.
- The shop is open. | The shop closed early today.
- The shop is open. | The shop closed at nine.
- The lamp is broken. | Ole repaired the radio.
- The lamp is broken. | Ole's lamp was repaired in 2020 and broke again.
- Ole's lamp is broken. | Ida repaired her lamp.
- The house is for sale. | The house next to it was sold.
- The house is for sale. | Ida's house was sold in May.
- The flat is vacant. | The garage was let.
- Ole is in hospital. | Ole was discharged from the army in 1990.
- Ole is in hospital. | Ida was discharged.
- Ole is on leave. | Ida returned from leave.
- Ole is on leave. | Ole returned the book.
- Ole is away. | Ole came back late.
- Ole is ill. | Ole recovered the stolen bike.
- Ole is ill. | The team recovered.
- The ticket is open. | Ole closed the window.
- The bug is open. | Ole fixed the bike.
- Ole has two dogs. | Ole's dog died.
- Ole has a dog and a cat. | Ole's dog died.
- Ole has a dog. | Ole's old dog Rex died ten years ago.
- Ole has a dog. | Ida's dog died.
- Ole has a dog. | Ole's dog nearly died.
- Ole has a dog. | Ole's dog will die if nothing is done.
- Ole has a son. | Ole's son's cat died.
- Ole has a boat. | Ole's boat engine was stolen.
- Ole has a car. | Ole's car radio was stolen.
- Ole has a cold. | Ida has recovered from her cold.
- Ole has a cold. | Ole has recovered from the flu.
- Ole works at Volvo. | Ida retired in May.
- Ole works at Volvo. | Ole's boss retired in May.
- Ole works at Volvo. | Ole retired to his room.
- The flag is on. | Ole turned off the radio.
- The flag search is on. | We turned the flag login off.
- The repo is private. | We made the docs public.
- The repo is private. | We made the repo faster.
- The road is closed. | Snow has made the road to Lund impassable.
- The speed limit is 30. | The speed limit in town was changed to 20.
- The upload limit is 3 GB. | The download limit is 5 GB.
- The login timeout is 5 minutes. | The session timeout is 9 minutes.
- orders uses MySQL. | MySQL was replaced by Postgres in billing.
- orders uses MySQL. | MySQL was replaced by Postgres in orders-archive.
- The report is pending. | The report template was approved.
- The visa is pending. | Ida's visa was granted.
- The mill opens at seven. | The mill shop changed its opening time to six.
- Fern has a CTO. | Fern has appointed Milan as its CFO.
- The CTO of Fern is Adele. | Moss has appointed Milan as its CTO.
- The CTO of Fern is Adele. | Fern has appointed Milan as its CFO.
- Ole comes from Oslo. | Ole's wine comes from France.
- Ole is from Oslo. | Olga comes from Lund.
- Lamp builds run on Jenkins. | Lamp tests have been moved to CircleCI.
- Lamp builds run on Jenkins. | Torch builds have been migrated to CircleCI.
- Our flight boards at gate 4. | Their flight boards at gate 5.
- The parcel is on its way. | The parcel for Ida was delivered.
- The server is down. | The mail server has been restored.
- The post is vacant. | The post at the school has been filled.
- The letter is unsigned. | The copy of the letter was signed.
- The road is blocked. | The road to Lund was cleared.
- The alarm is off. | Ida turned on the alarm in the cellar.
- The battery is empty. | Ida charged the battery of the drill.
- The study is unfinished. | The pilot study was completed.
- Pay questions go to Mina. | Send travel questions to Joost.
- Ida is an only child. | Ida has a niece.
- Ida is an only child. | Ida's friend has a brother.
- Kim is the contact person for the bank. | Ruth became the contact person for the insurer after Kim.
- Dr. Berg is our dentist. | Dr. Lind has been our vet since Dr. Berg retired.
- Parcels go out through Hermes. | We ditched Hermes, letters go out through Vonage.
- Room 3 is free this afternoon. | Room 3 is booked tomorrow.
- Room 3 is free this afternoon. | Room 4 is booked this afternoon.
- The room is free. | The room next door is booked.
- Yusuf's only pet is a cat. | Yusuf keeps a diary.
- Yusuf's only pet is a cat. | Yusuf's sister keeps a dog.
- Ole takes the train to work. | Lately Ole has been cycling to the lake.
- Boris is from Lund. | Boris comes from the station.
+ The shop is closed. | The shop has reopened.
    """,
    "codes and offices of others": """
- The door code is 1234. | The alarm code was changed to 5678.
- The door code is 1234. | The door code on the second floor was changed to 5678.
- The wifi password is blue. | The wifi password of the neighbours was changed to red.
- The wifi password is blue. | The guest wifi password is red.
- Maria leads the team. | Jo took over the shop from Maria.
- Maria leads the team. | Jo took over the minutes of the team from Maria.
- Maria leads the team. | Jo took over the team's budget from Maria.
- Maria leads the sales team. | Jo took over the support team from Maria.
- Maria runs the bar. | Jo took over the bar at the port from Ida.
- The guest wifi password is blue42. | Office wifi password: red17.
    """,
    "deeds of another time": """
- The lamp is broken. | The lamp is being repaired.
- The shop is closed. | The shop opened in 1990.
- Ole has a team. | Ole's team lost on Saturday.
- The house is for sale. | The house was once sold for a song.
- The flat is vacant. | The flat was let until May.
+ The lamp is broken. | The lamp was repaired in May.
    """,
    "switched for some": """
- Search is switched on. | Search is switched off for the shop.
- Search is off. | Search is enabled for staff.
+ Search is off. | Search was turned on by Ole.
- The alarm is on. | The alarm is turned off for guests.
- The road is blocked. | The road was cleared of snow in Lund.
- The bug is open. | The bug was fixed for Windows.
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
