"""Pairs that a detector by words gets wrong easily: next to each that is no contradiction stands one that is."""

from datetime import UTC, datetime, timedelta

import pytest

from graphmem.model.knowledge import Claim
from graphmem.rules.contradiction.detector import check

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
    "what is yet to come": """
- The warehouse has no sprinklers. | Sprinklers for the warehouse are due in April.
- The intranet has no search. | A search for the intranet is on the roadmap.
- The intranet has no search. | Search on the intranet is slated for the second quarter.
- The crew has no van. | A van for the crew is on order.
+ Ida bakes all our bread. | Ida baked our bread in the old days, before we switched to the mill.
- Ida bakes all our bread. | Ida baked cakes at school, in the old days.
+ Ida is on call this week. | Jan is on call this week instead of Ida.
- Invoices go out by email. | Reminders go out by letter instead of email.
+ The lock holds for ten minutes. | The lock holds for an hour.
- The lock holds for 60 minutes. | The lock holds for an hour.
- The lock holds for ten minutes. | The lock was held for an hour on Monday.
- Ida is the captain of the A team. | Jan is the captain of the B team.
+ Ida is the captain of the A team. | Jan is the captain of the A team.
- The head of Brenner is Ute. | The head of Brenner Tools is Emil.
+ The head of Brenner Tools is Ute. | The head of Brenner Tools is Emil.
+ The regatta is set for 9 May. | The regatta was put off until June.
+ 仓库的警报已启用。 | 仓库的警报已禁用。
- 仓库的警报已启用。 | 工厂的警报已禁用。
+ 駐車場は無料です。 | 駐車場は有料です。
+ 주차장은 무료이다. | 주차장은 유료이다.
- The clinic has no lift. | A lift for the clinic is in the backlog.
- Feature flags are not used by the web team. | Feature flags are the web team's next goal.
+ Feature flags are not used by the web team. | Feature flags are used by the web team.
- The bakery opens at 6:00. | The bakery opened at 9:00 on the day of the blackout.
+ The bakery opens at 6:00. | The bakery opens at 9:00.
+ The goal of the team is ten releases. | The goal of the team is twelve releases.
- The crew has no van. | The crew has ordered a van.
- Meike has no driving licence. | Meike has applied for a driving licence.
- Meike has no passport. | Meike has requested a passport.
- The school has no lift. | A lift for the school is in the works.
- The school has no lift. | Work on a lift for the school is under way.
- The village has no doctor. | The village expects a doctor in June.
- The village has no doctor. | A doctor is expected in the village in June.
- The ledger app is not encrypted. | The ledger app is to be encrypted by May.
- The ledger app is not encrypted. | Encryption of the ledger app is pencilled in for May.
- The shop is closed on Mondays. | The shop intends to open on Mondays.
- The shop is closed on Mondays. | The shop is about to open on Mondays.
- Tarek works at the mill. | Tarek has applied for a job at the brewery.
- Tarek lives in Gera. | Tarek wants to live in Halle.
- Tarek lives in Gera. | Tarek is about to move to Halle.
- Tarek lives in Gera. | Tarek will be living in Halle from October.
- The archive runs on MySQL. | The archive's move to Postgres is under way.
- The archive runs on MySQL. | A migration of the archive to Postgres is planned for May.
- The archive runs on MySQL. | The archive is slated to run on Postgres.
- The archive runs on MySQL. | The archive is expected to run on Postgres by May.
- The bridge is closed. | The bridge is due to open in June.
- The bridge is closed. | The reopening of the bridge is due in June.
- The bridge is closed. | The bridge is expected to reopen in June.
- The bridge is closed. | The bridge should be open by June.
- Ida is single. | Ida is to be married in May.
- Ida is single. | Ida is getting married in May.
- The gym costs 20 euros a month. | From July the gym is due to cost 25 euros a month.
- The gym costs 20 euros a month. | The gym intends to charge 25 euros a month.
- The office has 40 desks. | The office has ordered 10 desks.
- The app does not support dark mode. | Support for dark mode in the app is in development.
- The app does not support dark mode. | Dark mode support in the app is coming in May.
- The app does not support dark mode. | The app's dark mode support is planned.
- No tests cover the parser. | Tests that cover the parser are being written.
- The parser has no tests. | Tests for the parser are being written.
- The parser has no tests. | Tests for the parser are missing.
- The clinic has no scanner. | A scanner for the clinic has been requested.
- The clinic has no scanner. | A scanner for the clinic has been approved.
- Jonas does not own a flat. | Jonas is saving for a flat.
- Jonas does not own a flat. | Jonas would like to own a flat.
- The team has no tester. | The team is looking for a tester.
- The team has no tester. | A tester for the team is being sought.
- The portal is offline. | The portal is scheduled to be online on Friday.
- The harbour has no crane. | The harbour wants to buy a crane.
- The harbour has no crane. | A crane is promised to the harbour.
- The harbour has no crane. | The harbour gets a crane next spring.
- The harbour has no crane. | The harbour will soon have a crane.
- The harbour has no crane. | The council voted for a crane at the harbour.
- The harbour has no crane. | The harbour has put in for a crane.
- The harbour has no crane. | There is money for a crane at the harbour.
- The harbour has no crane. | The harbour dreams of a crane.
- The harbour has no crane. | There are plans for a crane at the harbour.
- The harbour has no crane. | Talks about a crane for the harbour have begun.
- The harbour has no crane. | The harbour is getting a crane.
- The harbour has no crane. | A crane for the harbour arrives in June.
- The pump is switched off. | The pump is to be switched on at the weekend.
- The pump is switched off. | The pump is ready to be switched on.
- The pump is switched off. | The pump can be switched on from the cellar.
- The pump is switched off. | The pump gets switched on tomorrow.
- The wiki is read-only. | The wiki is meant to be writable from July on.
- The wiki is not public. | The wiki is scheduled to go public in July.
- The wiki is not public. | The wiki goes public in July.
- The wiki is not public. | The wiki is going public in July.
- The wiki is private. | From July the wiki is to be public.
- Svea does not speak Danish. | Svea is learning Danish.
- Svea does not speak Danish. | Svea has signed up for a Danish course.
- Svea does not drive. | Svea is taking driving lessons.
- Svea is unemployed. | Svea has an interview at the mill on Friday.
- Svea is unemployed. | Svea has applied for a job at the mill.
- Svea is unemployed. | Svea starts at the mill in June.
- Svea works at the mill. | Svea has been offered a job at the dairy.
- Svea works at the mill. | Svea has handed in an application at the dairy.
- Svea works at the mill. | Svea starts at the dairy in June.
- Svea lives in Kiel. | Svea is looking for a flat in Bonn.
- Svea lives in Kiel. | Svea is thinking of Bonn.
- Svea lives in Kiel. | Svea is going to move to Bonn.
- Svea lives in Kiel. | Svea is moving to Bonn in June.
- Svea drives a Fiat. | Svea has ordered a Kia.
- Svea drives a Fiat. | Svea has her eye on a Kia.
- Svea has one child. | Svea is expecting a second child.
- Svea has no children. | Svea is expecting a child.
- The mill has 40 workers. | The mill is looking for ten workers.
- The mill has 40 workers. | The mill wants 60 workers by May.
- The mill has 40 workers. | The mill is to have 60 workers by May.
- The mill has 40 workers. | The mill is expected to have 60 workers by May.
- The fee is 20 euros. | A fee of 25 euros is proposed.
- The fee is 20 euros. | The fee is expected to be 25 euros.
- The fee is 20 euros. | The fee is supposed to rise to 25 euros.
- The search index is stored on disk. | The search index is to be stored in memory.
- The search index is stored on disk. | The search index is meant to be stored in memory.
- Nobody maintains the importer. | Jule has offered to maintain the importer.
- Nobody maintains the importer. | Jule has been asked to maintain the importer.
- Nobody maintains the importer. | Jule is ready to maintain the importer.
- The route is not paved. | The paving of the route starts in June.
- The route is not lit. | Lamps for the route have been delivered.
- The hall has no heating. | The heating of the hall is being planned.
- The hall has no heating. | Heating for the hall was voted down.
- The hall has no heating. | Heating for the hall was promised in 2024.
- The hall has no heating. | Heating would be good for the hall.
+ The warehouse has no sprinklers. | The warehouse has sprinklers in all halls.
+ The tiles have not been ordered. | The tiles have been ordered.
+ The bridge is closed. | The bridge is open.
+ The book is due in May. | The book is due in June.
+ The limit is 30. | The limit is set to 50.
+ Nobody is looking for a tester. | The team is looking for a tester.
    """,
    "what was in a time that is over": """
- Lena was married to a pilot in her thirties. | Lena is married to a baker.
- Lena lived in Oslo as a child. | Lena lives in Bergen.
- Lena lived in Oslo in 2019. | Lena lives in Bergen.
- Lena was a nurse before the move. | Lena is a teacher.
- Back then Lena was a nurse. | Lena is a teacher.
- Lena was vegetarian for a while. | Lena is vegan.
- Lena was shy at school. | Lena is outgoing.
- At her old job Lena earned 3000 euros. | Lena earns 4000 euros.
- Lena reported to Karl at her old job. | Lena reports to Ute.
- Lena drove a Fiat as a student. | Lena drives a Kia.
- Lena is married to a baker. | Lena was married to a pilot in her thirties.
- Lena drives a Kia. | As a student Lena drove a Fiat.
- Lena lives in Bergen. | In 2019 Lena lived in Oslo.
- Lena works for a bank. | At 20 Lena worked for a bakery.
- The mill belonged to the abbey in the Middle Ages. | The mill belongs to the town.
- The mill belongs to the town. | In the Middle Ages the mill belonged to the abbey.
- The mill was closed during the war. | The mill is open.
- The mill is open. | The mill was closed during the war.
- The mill is open. | The mill was closed for a while.
- The rent was 500 euros in 2018. | The rent is 700 euros.
- The rent is 700 euros. | The rent was 500 euros when they moved in.
- The rent is 700 euros. | Before the renovation the rent was 500 euros.
- The server ran Debian at the time. | The server runs Ubuntu.
- The server runs Ubuntu. | At the time the server ran Debian.
- Uwe had no car at university. | Uwe has a car.
- Uwe has a car. | Uwe had no car at university.
- Uwe smoked as a soldier. | Uwe does not smoke.
- Uwe does not smoke. | Uwe smoked as a soldier.
- Uwe played chess at school. | Uwe plays tennis.
- Uwe was the captain in his first season. | Mats is the captain.
- The office was in Mainz at first. | The office is in Trier.
- The office is in Trier. | The office was in Mainz in the early years.
- The office is in Trier. | For a while the office was in Mainz.
- Uwe was divorced in his forties. | Uwe is married.
- Uwe had two dogs as a boy. | Uwe has one dog.
- Uwe's favourite colour was red when he was small. | Uwe's favourite colour is blue.
- The mill had a café in its first years. | The mill has no café.
- The mill has no café. | The mill had a café in its first years.
- The mill has no café. | There was a café at the mill in the nineties.
- The mill has no café. | The mill had a café before the flood.
- The mill has a café. | The mill had no café before the flood.
- The mill had no café before the flood. | The mill has a café.
- The mill had two floors until the fire. | The mill has one floor.
- Two years ago Bo weighed 90 kilos. | Bo weighs 80 kilos.
- Bo weighs 80 kilos. | Two years ago Bo weighed 90 kilos.
- Bo weighs 80 kilos. | In his army days Bo weighed 90 kilos.
- Bo did not eat fish as a child. | Bo eats fish.
- Bo eats fish. | Bo did not eat fish as a child.
- Bo eats fish. | As a child Bo never ate fish.
- Bo never eats fish. | As a child Bo often ate fish.
- Bo is a vegetarian. | Bo was no vegetarian as a child.
- Bo could not swim as a child. | Bo can swim.
- Bo can swim. | Bo could not swim as a child.
- Bo can swim. | At ten Bo could not swim.
- Bo was left-handed as a child. | Bo is right-handed.
- Bo wore glasses at school. | Bo wears no glasses.
- Bo wears no glasses. | Bo wore glasses at school.
- Bo's first car was a Fiat. | Bo's car is a Kia.
- Bo's car is a Kia. | Bo's first car was a Fiat.
- Bo's first boss was Ulf. | Bo's boss is Ragna.
- Bo's previous boss was Ulf. | Bo's boss is Ragna.
- Bo's boss is Ragna. | Bo's previous boss was Ulf.
- Bo's boss at the bank was Ulf. | Bo's boss is Ragna.
- Under Ulf, the team met on Mondays. | The team meets on Thursdays.
- The team meets on Thursdays. | Under Ulf, the team met on Mondays.
- The server was slow last winter. | The server is fast.
- The server is fast. | The server was slow last winter.
- The server was down yesterday. | The server is up.
- The server is up. | The server was down yesterday.
- The server is up. | The server was down for two hours on Friday.
- The tower was open to visitors in the summer of 2020. | The tower is closed to visitors.
- The tower is closed to visitors. | The tower was open to visitors in the summer of 2020.
- The tower is closed to visitors. | The tower was open to visitors on Sunday.
- The first release was free. | The app costs 3 euros.
- The app costs 3 euros. | The first release of the app was free.
- The app costs 3 euros. | The app was free at launch.
- The app costs 3 euros. | During the pandemic the app was free.
- Greta won gold in 2020. | Greta won silver in 2024.
- Greta led the choir in the eighties. | Mona leads the choir.
- Mona leads the choir. | Greta led the choir in the eighties.
- In her first marriage Greta was called Holm. | Greta is called Lund.
- Greta is called Lund. | In her first marriage Greta was called Holm.
- Greta was ill last week. | Greta is well.
- Greta is well. | Greta was ill last week.
- Greta is at home. | Greta was in Rome last week.
+ Lena is married. | Lena is divorced.
+ The mill is closed. | The mill is open.
+ Lena lives in Oslo. | Lena lived in Oslo until 2019.
+ Uwe smokes. | Uwe no longer smokes.
+ The queue holds ten jobs. | The queue currently holds ninety jobs.
- The queue holds ten jobs on average. | The queue currently holds ninety jobs.
- Lena rides a Vespa. | Lena is currently riding a bike while the Vespa is being repaired.
- Lena lives in Bergen. | Lena moved to a larger house in Bergen in May.
    """,
    "one more": """
- Rosa plays the cello. | Rosa also plays the flute.
- Rosa plays the cello. | Rosa plays the flute as well.
- Rosa has a sister. | Rosa has a second sister.
- Rosa has a sister in Bonn. | Rosa has another sister in Kiel.
- The bakery has a shop in Bonn. | The bakery has a second shop in Kiel.
- The bakery has a shop in Bonn. | The bakery has opened another shop in Kiel.
- The bakery sells rye bread. | The bakery now sells cakes, too.
- The service writes to Kafka. | The service additionally writes to S3.
- The service is written in Go. | Parts of the service are written in Rust.
- The team uses Slack. | The team uses Zoom besides.
- Rosa speaks Polish. | Rosa is learning Czech.
- Rosa teaches chemistry. | Rosa teaches physics on top of that.
- The course takes place on Mondays. | The course takes place on Thursdays as well.
- The course takes place on Mondays. | A second course takes place on Thursdays.
- The club meets in the tavern. | The club sometimes meets in the library.
- The club has a pitch. | The club has got a second pitch.
- The author of the manual is Nils. | A second author of the manual is Petra.
- The owner of the boat is Nils. | Petra is a co-owner of the boat.
- Nils maintains the parser. | Petra helps maintain the parser.
- Nils maintains the parser. | Petra maintains the parser along with Nils.
- Nils has a key to the attic. | Petra has a key to the attic too.
- The backup goes to Oslo. | Another backup goes to Bergen.
- The farm keeps cows. | The farm has taken in two goats.
- The alert goes to Nils. | The alert goes to Petra as well.
- Ines runs a bakery. | Ines also runs a bar.
- Ines runs a bakery. | Ines has taken over a bar, too.
- The library lends books. | The library now lends games, too.
- The app runs on iOS. | The app has come to Android.
- The report is sent to Ines. | A copy of the report is sent to Lars.
- The mill belongs to Ines. | Lars has a stake in the mill.
- The meeting is in room 4. | The follow-up meeting is in room 6.
- Ines collects stamps. | Ines collects coins besides stamps.
- Ines has a dog called Rex. | Ines has another dog called Max.
- Ines's favourite food is rice. | Another favourite food of Ines's is soup.
- Ines teaches on Mondays. | Ines teaches on Thursdays, too.
- The password is checked by the gateway. | The password is checked by the login service as well.
+ Only the cello is taught here. | The flute is taught here as well.
+ The meeting is on Monday. | The meeting is on Thursday.
    """,
    "of one name or sort, and two": """
- Karin Vogt, the dentist, is 40. | Karin Vogt, the cellist, is 61.
- Karin Vogt, the dentist, lives in Ulm. | Karin Vogt, the cellist, lives in Jena.
- Karin Vogt the dentist lives in Ulm. | Karin Vogt the cellist lives in Jena.
- Karin from accounting is married. | Karin from sales is divorced.
- Karin Vogt from Ulm is 40. | Karin Vogt from Jena is 61.
- Karin, my cousin, is pregnant. | Karin, my boss, is not pregnant.
- Our neighbour Karin is 40. | Our teacher Karin is 61.
- Old Mr Vogt smokes. | Young Mr Vogt does not smoke.
- Karin Vogt senior is retired. | Karin Vogt junior is not retired.
- Vogt senior lives in Ulm. | Vogt junior lives in Jena.
- The older twin is tall. | The younger twin is short.
- The branch in Ulm closes at six. | The branch in Jena closes at eight.
- The Ulm branch closes at six. | The Jena branch closes at eight.
- The bank is open. | The branch of the bank in Ulm is closed.
- The shop closes at six. | The shop's café closes at eight.
- The mail-in service listens on port 6201. | The mail-out service listens on port 6300.
- The order reader runs at 2 am. | The order writer runs at 5 am.
- The orders-read service uses port 8001. | The orders-write service uses port 8002.
- Room 1 is locked. | Room 2 is unlocked.
- Room A seats twelve. | Room B seats twenty.
- Meeting room Elbe seats twelve. | Meeting room Spree seats twenty.
- The Elbe room seats twelve. | The Spree room seats twenty.
- The old printer is broken. | The new printer works.
- The old printer costs 200 euros. | The new printer costs 300 euros.
- The printer on the first floor is broken. | The printer on the second floor works.
- The Mark II is out of stock. | The Mark III is in stock.
- The X200 weighs 2 kg. | The X300 weighs 3 kg.
- Ledgerly costs 10 euros a month. | Ledgerly Pro costs 20 euros a month.
- Ledgerly is based in Bonn. | Ledgerly's hosting provider is based in Kiel.
- Ledgerly, the app, is free. | Ledgerly, the company, is not free of debt.
- The car is red. | The car's roof is black.
- The car has four doors. | The car next door has two doors.
- Anton is 40. | Anton's son is 12.
- Anton's son is a doctor. | Anton's daughter is a lawyer.
- Anton's elder son is a doctor. | Anton's younger son is a lawyer.
- Anton's first wife is a doctor. | Anton's second wife is a lawyer.
- The mother is in hospital. | The daughter is out of hospital.
- The vendor of the till is in Ulm. | The till is in Jena.
- The head of sales is Nils. | The deputy head of sales is Petra.
- The team lead is Nils. | The tech lead is Petra.
- The morning shift starts at six. | The late shift starts at two.
- The staging cluster has 3 nodes. | The production cluster has 9 nodes.
- St. Anna church is open. | St. Anna school is closed.
- The Anna school has 300 pupils. | The Anna kindergarten has 60 children.
- Dr. Wolf, the vet, is on holiday. | Dr. Wolf, the dentist, is not on holiday.
- The Green Lion pub is closed. | The Red Lion pub is open.
- Lake Road is closed. | Lake Street is open.
- Peter, the driver, has a dog. | Peter, the cook, has no dog.
- Peter, who drives the bus, is 52. | Peter, who cooks, is 29.
- Peter (sales) is 52. | Peter (support) is 29.
- Peter the driver is 52. | Peter the cook is 29.
- The driver Peter Hall is 52. | The cook Peter Hall is 29.
- Sam's mother is 70. | Sam's mother-in-law is 64.
- The train at 8:10 is full. | The train at 9:10 is empty.
- The first edition is out of print. | The second edition is in print.
- Version 2 of the API is deprecated. | Version 3 of the API is supported.
- The API v2 requires a token. | The API v3 requires no token.
- The front door is locked. | The back door is unlocked.
- The upper lake is frozen. | The lower lake is not frozen.
- Nadia's flat is on the third floor. | Nadia's studio is on the first floor.
- Nadia's own car is a Fiat. | Nadia's company car is a Kia.
- The Mill Road branch has three tills. | The Park Road branch has five tills.
- The branch on Mill Road has three tills. | The branch on Park Road has five tills.
- The company has 90 employees. | The company's Berlin office has 12 employees.
- The company is profitable. | The company's subsidiary is not profitable.
- The library is free. | Printing at the library is not free.
- The library opens at nine. | The children's library opens at ten.
- Acme's parent company is in Tokyo. | Acme is in Osaka.
- Acme is in Osaka. | Acme's parent company is in Tokyo.
- Acme Bank is open. | Acme Insurance is closed.
- Acme North has 30 staff. | Acme South has 45 staff.
- The Acme 3 is red. | The Acme 4 is blue.
- The kettle is broken. | The kettle's lid is intact.
- The kettle in the kitchen is broken. | The kettle in the office works.
- Noa's phone is an iPhone. | Noa's work phone is a Pixel.
- Noa's phone is broken. | Noa's brother's phone works.
- Noa senior runs the shop. | Noa junior does not run the shop.
- Noa Berg is 40. | Noa Holm is 52.
- Noa B. is 40. | Noa H. is 52.
- Noa's twin is married. | Noa is not married.
- Noa is married. | Noa's twin is not married.
- Little Noa is ill. | Big Noa is well.
- The frontend is written in TypeScript. | The frontend tests are written in Python.
- The gateway listens on port 80. | The gateway's admin page listens on port 81.
- The gateway listens on port 80. | The gateway sidecar listens on port 81.
- The gateway is up. | The gateway's database is down.
- The payments API is public. | The payments admin API is not public.
- The payments service is down. | The payouts service is up.
- The read replica is in Oslo. | The write replica is in Bonn.
- The primary is in Oslo. | The replica is in Bonn.
- The client is written in Go. | The server is written in Rust.
- The source bucket is public. | The target bucket is private.
- The inbound queue is full. | The outbound queue is empty.
- The day nurse is Noa. | The night nurse is Bela.
- The chairman is Noa. | The vice chairman is Bela.
- The ground floor is let. | The top floor is vacant.
- Flat 3 is let. | Flat 5 is vacant.
- The flat upstairs is let. | The flat downstairs is vacant.
- Gate A is closed. | Gate B is open.
- Track 4 is closed. | Track 5 is open.
- The course for beginners is full. | The course for experts is not full.
- The beginners' course is full. | The advanced course is not full.
- The Monday course is full. | The Tuesday course is not full.
- The English version is out of date. | The German version is up to date.
- The print edition costs 5 euros. | The online edition costs 3 euros.
- The adult ticket costs 12 euros. | The child ticket costs 6 euros.
- A day pass costs 10 euros. | A week pass costs 40 euros.
- Tickets for adults cost 12 euros. | Tickets for children cost 6 euros.
- Ella, my aunt, lives in Bonn. | Ella, my niece, lives in Kiel.
- Ella Maier (HR) sits on floor 2. | Ella Maier (IT) sits on floor 4.
- Aunt Ella lives in Bonn. | Cousin Ella lives in Kiel.
- Ella from next door lives alone. | Ella from the choir does not live alone.
- The Ella who runs the kiosk is married. | The Ella who drives the bus is not married.
- Doctor Maier is on holiday. | Pastor Maier is not on holiday.
- Judge Maier lives in Bonn. | Baker Maier lives in Kiel.
- Maier's bakery is closed. | Maier's butcher shop is open.
- The Maier bakery is closed. | The Maier butchery is open.
- Hotel Maier has 40 rooms. | Pension Maier has 12 rooms.
- Maier Street is one-way. | Maier Square is not one-way.
- The father of the bride is 60. | The father of the groom is 66.
- The left lane is closed. | The right lane is open.
- The small scale is broken. | The large scale works.
- The 2020 model has a fan. | The 2022 model has no fan.
- The basic model has a fan. | The pro model has no fan.
- The test for A is green. | The test for B is red.
+ Karin Vogt, the dentist, is 40. | Karin Vogt, the dentist, is 61.
+ Peter, the driver, has a dog. | Peter, the driver, has no dog.
+ The team lead is Nils. | The team lead is Petra.
+ The mail-in service listens on port 6201. | The mail-in service listens on port 6300.
+ The scrap rate is two percent. | The scrap rate is three in a hundred.
- The scrap rate is two percent. | The scrap rate is two in a hundred.
    """,
    "one name in other spellings": """
+ The drop-off desk listens on line 4. | The dropoff desk listens on line 6.
+ The stock-count job runs at 3 a.m. | StockCount runs at 5 a.m.
+ The stock-count job is written in Go. | StockCount is written in Rust.
- The stock-count job is written in Go. | The stock-count plugin is written in Rust.
- The stock-count job is written in Go. | The stock-sum job is written in Rust.
- StockCount is written in Go. | StockSum is written in Rust.
- StockCount is free. | StockCount's support is not free.
- Hotel Lindner has 40 rooms. | Pension Lindner has 12 rooms.
- Hotel Lindner costs 90 euros a night. | The Linde costs 60 euros a night.
+ Hotel Lindner costs 90 euros a night. | The Lindner costs 60 euros a night.
+ Benny from the port is married. | Benjamin from the port is divorced.
+ Ada reports directly to Ulf. | Ada reports to Ines.
+ Ada reports directly to Ulf. | Ada's manager is Ines.
+ Mr. Holm, the janitor, lives in the annex. | The janitor Holm does not live in the annex.
- Mr. Holm, the janitor, lives in the annex. | The janitor Berg does not live in the annex.
- Mr. Holm, the janitor, lives in the annex. | Mrs. Holm, the cook, does not live in the annex.
+ The mailer does not resend letters. | The mailer resends letters up to four times.
- The mailer does not resend letters. | The mailer resends invoices up to four times.
+ In production, the cache size is 4 GB. | The production cache size is 8 GB.
- In production, the cache size is 4 GB. | The staging cache size is 8 GB.
- In production, the cache size is 4 GB. | In staging, the cache size is 8 GB.
+ The print server runs Debian 11. | Debian 12 is running on the print server.
- The print server runs Debian 11. | Samba 4 is running on the print server.
- The print server runs Debian 11. | Debian 12 is running on the mail server.
+ The O'Shea garage employs five people. | OShea's garage employs nine people.
- The wall is not entirely white. | The wall is white at the top.
- The read-only flag is on. | The readonly-user flag is off.
+ The read-only flag is on. | The readonly flag is off.
- The data-store service is up. | The data store backup is down.
- The co-owner is Ada. | The coowner of the barn is Ulf.
    """,
    "over, told by a noun": """
+ Mona plays the oboe in the town band. | Mona's time as an oboe player in the town band is over.
- Mona plays the oboe in the town band. | Mona's time as a drummer in the town band is over.
- Mona plays the oboe in the town band. | Piet's time as an oboe player in the town band is over.
- Mona plays the oboe in the town band. | Mona's concert with the town band is over.
- Mona plays the oboe in the town band. | Mona's time in the school band is over.
+ The foundry works with coke. | Coke at the foundry is a thing of the past.
- The foundry works with coke. | Coal at the foundry is a thing of the past.
- The foundry crew works in two shifts. | Three shifts at the foundry are a thing of the past.
- The foundry works with coke. | Night work at the foundry is a thing of the past.
+ Ruth is on sick leave. | Ruth's sick leave has ended.
- Ruth is on sick leave. | Ruth's sick leave has been extended.
- Ruth is on sick leave. | Ruth's holiday has ended.
- Ruth is on sick leave. | Tom's sick leave has ended.
- Ruth teaches yoga on Mondays. | Ruth's yoga on Mondays is over now for the day.
+ Ulf smokes cigars in the garden. | Ulf was a cigar smoker, but he has given it up.
- Ulf smokes cigars in the garden. | Ulf was a pipe smoker, but he has given it up.
- Ulf smokes cigars in the garden. | Ulf's father was a cigar smoker, but he has given it up.
+ The tram stops at the brewery. | The brewery was a stop of the tram in former days, but isn't any more.
- The tram stops at the brewery. | The brewery was a stop of the bus in former days, but isn't any more.
+ Nils takes iron tablets. | Nils has come off his iron tablets.
- Nils takes iron tablets. | Nils has come off his sleeping tablets.
- Nils takes iron tablets. | Nils has come off his bike.
+ The dairy belongs to the abbey. | Until its merger in May, the dairy belonged to the abbey.
- The dairy belongs to the abbey. | Until its merger in May, the dairy belonged to the town.
+ The fair is planned for the second week of July. | There will be no fair this year.
- The fair is planned for the second week of July. | There will be no fireworks this year.
- The fair is planned for the second week of July. | There will be no rides at the fair.
- The book fair is planned for July. | There will be no wine fair in July.
- The fair is planned for July. | There will be no fair in the spring.
+ A new gate for dock 5 is budgeted for 2027. | The gate of dock 5 has been struck from the 2027 budget.
- A new gate for dock 5 is budgeted for 2027. | The gate of dock 6 has been struck from the 2027 budget.
- A new gate for dock 5 is budgeted for 2027. | The crane of dock 5 has been struck from the 2027 budget.
+ We mean to tile the bath white. | The bath will be tiled blue, not white.
- We mean to tile the bath white. | The kitchen will be tiled blue, not white.
+ The pilot is to start with five shops. | The pilot will start with nine shops.
- The pilot is to start with five shops. | The second pilot will start with nine shops.
+ The band plans a trip to Malta. | The band's trip will go to Cyprus instead of Malta.
- The band plans a trip to Malta. | The choir's trip will go to Cyprus instead of Malta.
- The band plans a tour. | The band is on stage.
- Olga is planning a garden. | Olga has a garden in Kiel.
+ Ruth from sales is on parental leave. | Ruth from sales has been back at work since May.
- Ruth from sales is on parental leave. | Ruth from support has been back at work since May.
- Marta and Jo are at war over the hedge. | Marta's talk with Jo is over.
- The strike at the dock is on. | The strike at the mill is over.
- The pump depends on the grid. | The pump's trouble with the grid is a thing of the past.
- The house has a leaking roof. | The house has had its days.
    """,
    "there is no other one": """
+ Tea is imported as leaves and in no other form. | Tea is imported as powder.
+ The bill can be sent as PDF and in no other format. | The bill can be sent as DOCX.
- The bill can be sent as PDF and in no other format. | The bill can be sent by Friday.
- The bill can be sent as PDF and in no other format. | The reminder can be sent as DOCX.
+ Just one person, Ada, has the code of the safe. | Bram has the code of the safe.
- Just one person, Ada, has the code of the safe. | Bram has the code of the gate.
- Just one person, Ada, has the code of the safe. | Ada has the code of the safe on a card.
+ Only Ada can book trips for the Oslo crew. | Trips for the Oslo crew are booked by Bram as well.
- Only Ada can book trips for the Oslo crew. | Trips for the Oslo crew are paid by Bram as well.
- Only Ada can book trips for the Oslo crew. | Trips for the Lund crew are booked by Bram as well.
- Only Ada can book trips for the Oslo crew. | Trips for the Oslo crew are booked by Ada as well.
+ The ski club has one hut and no others, the Birkhaus. | The ski club has a hut called Lärche.
- The ski club has one hut and no others, the Birkhaus. | A bus called Lärche belongs to the ski club.
- The ski club has one hut and no others, the Birkhaus. | A hut called Lärche belongs to the sailing club.
+ The only door of the boiler room leads to the yard. | The boiler room has a door to the cellar.
- The only door of the boiler room leads to the yard. | The boiler room has a window to the cellar.
- The only door of the boiler room leads to the yard. | The laundry room has a door to the cellar.
+ The forum has no moderators other than Ada. | Bram moderates posts in the forum every day.
- The forum has no moderators other than Ada. | Bram reads posts in the forum every day.
- The forum has no moderators other than Ada. | Bram moderates posts in another forum.
- The forum has no moderators other than Ada. | Ada moderates posts in the forum every day.
+ The only database the billing app talks to is Oracle. | The billing app reads customer names from a MongoDB database.
- The only database the billing app talks to is Oracle. | The billing app reads customer names from a file.
- The only database the billing app talks to is Oracle. | The sales app reads customer names from a MongoDB database.
+ No program apart from Nagios writes to the alarm channel. | Grafana writes to the alarm channel every hour.
- No program apart from Nagios writes to the alarm channel. | Grafana reads the alarm channel every hour.
+ No script apart from cleanup touches the billing ledger. | Restore jobs change the billing ledger every night.
- No script apart from cleanup touches the billing ledger. | Restore jobs read the billing ledger every night.
+ The build runs on ARM machines alone. | Part of the build runs on Intel machines.
- The build runs on ARM machines alone. | Part of the build runs on Fridays.
- The build runs on ARM machines alone. | Part of the test suite runs on Intel machines.
+ The airline serves only Malmö. | The airline flies to Tallinn.
- The airline serves only Malmö. | The airline runs an office in Tallinn.
- The airline serves only Malmö. | The airline's founder flies to Tallinn.
- The canteen serves only soup. | The canteen runs a stall at the fair.
    """,
    "one alone, a term and another spelling": """
+ Vera's only pet is a rabbit. | Vera has a canary, too.
- Vera's only pet is a rabbit. | Vera has a bike, too.
+ The toy library opens on Tuesdays only. | On Fridays, the toy library is open as well.
- The toy library opens on Tuesdays only. | On Fridays, the book library is open as well.
- The toy library opens on Tuesdays. | On Fridays, the toy library is open as well.
+ Nothing but moss grows on the north wall. | There is also ivy growing on the north wall.
- Nothing but moss grows on the north wall. | There is also ivy growing on the south wall.
- Nothing but moss grows on the north wall. | Moss grows on the north wall.
+ Polish is the only foreign language at the port school. | The port school teaches Danish from year two.
- Polish is the only foreign language at the port school. | The port school teaches chemistry from year two.
- Polish is the only foreign language at the port school. | The village school teaches Danish from year two.
+ The freight firm has its main base in Riga. | The freight firm has its main base in Turku.
- The freight firm has its main base in Riga. | The freight firm has a depot in Turku.
+ Milan lives in Zadar. | Milan has his home in Pula.
- Milan lives in Zadar. | Milan has a second home in Pula.
- Milan lives in Zadar. | Milan's sister has her home in Pula.
+ The permit of the bar runs until the end of May. | The permit of the bar expires on 31 August.
- The permit of the bar runs until the end of May. | The permit of the bar expires on 31 May.
- The permit of the bar runs until the end of May. | The permit of the café expires on 31 August.
- The permit of the bar runs until the end of May. | The lease of the bar expires on 31 August.
+ The old kiln will be shut down on 2 March. | The shutdown of the old kiln has been put off to 9 April.
- The old kiln will be shut down on 2 March. | The shutdown of the new kiln has been put off to 9 April.
- The old kiln will be shut down on 2 March. | The cleaning of the old kiln has been put off to 9 April.
- The meeting-minutes tool is free. | MeetingMinutes Pro is not free.
- The front-desk phone is broken. | The frontdesk printer works.
- The part-time job is taken. | The parttime course is free.
- E-Bike rental costs 20 euros. | EBike insurance costs 8 euros.
- The mark-up is high. | MarkUp the app is low on users.
- O'Brien is married. | OBrien's brother is divorced.
- The pick-up truck is red. | The pickup point is blue.
- The SkyMap service is down. | The SkyMap website is up.
- The set-top box is on. | The settop remote is off.
- The band means to play in Bonn. | The band played in Kiel.
- Ole plans a new shed. | Ole has a shed.
- The course is to start in May. | The course in Kiel starts in June.
- Ben is ill. | Benjamin's wife is well.
- The CoreBank app is free. | The core bank branch charges fees.
- The Berlin team has its base in Mitte. | The Hamburg team has its base in Altona.
- Ada Roth, a lawyer, votes green. | Ada Roth, a dancer, does not vote green.
- The data-sync job is on. | The data-sync service is off.
- Restaurant Roma is full. | Hotel Roma is not full.
- The Roma is full. | Hotel Roma's car park is not full.
    """,
    "asked for, owed, once had, and of another": """
- The annex has no alarm. | The annex is to get an alarm.
- The annex has no alarm. | The annex will have got an alarm by May.
- The annex has no alarm. | An alarm for the annex has been on order since May.
- The annex has no alarm. | The alarm for the annex is on its way.
- The annex has no alarm. | The alarm for the annex is yet to be installed.
- The annex has no alarm. | The alarm for the annex still has to be paid.
- The annex has no alarm. | The installation of an alarm in the annex begins in May.
- The annex has no alarm. | An alarm was considered for the annex.
- The annex has no alarm. | A quote for an alarm in the annex is in.
- The annex has no alarm. | The insurer demands an alarm for the annex.
- The annex has no alarm. | The tenants have asked for an alarm in the annex.
- The annex has no alarm. | The annex must have an alarm by law.
- The annex has no alarm. | The annex ought to have an alarm.
- The annex has no alarm. | The annex had an alarm in the nineties.
- The annex has no alarm. | The annex qualifies for an alarm.
+ The annex has no alarm. | The annex has an alarm.
+ The annex has no alarm. | An alarm has been installed in the annex.
+ The annex has no alarm. | The annex got an alarm in May.
- The feed is not cached. | Caching of the feed is on the roadmap for May.
- The feed is not cached. | The feed should be cached.
- The feed is not cached. | The feed must be cached from June.
- The feed is not cached. | There is a ticket to have the feed cached.
+ The feed is not cached. | The feed is cached.
- Pia is not a member of the choir. | Pia has applied to become a member of the choir.
- Pia is not a member of the choir. | Pia is on the waiting list for the choir.
- Pia is not a member of the choir. | Pia becomes a member of the choir in June.
- Pia is not a member of the choir. | Pia was a member of the choir at school.
- Pia does not own a boat. | Pia is about to buy a boat.
- Pia does not own a boat. | Pia owned a boat in her twenties.
- Pia does not own a boat. | Pia owns a share in a boat yard.
+ Pia does not own a boat. | Pia owns a boat.
- Pia works at the zoo. | Pia is due to work at the museum from May.
- Pia works at the zoo. | Pia has a second job at the museum.
- Pia works at the zoo. | Pia used her holidays to work at the museum.
- Pia works at the zoo. | Pia worked at the museum for a while.
- Pia works at the zoo. | Pia worked at the museum before her studies.
- Pia worked at the museum before her studies. | Pia works at the zoo.
- Pia is vegan. | Pia was vegetarian in her teens.
- The zoo is closed on Mondays. | The zoo was open on Mondays during the summer of 2020.
- The zoo costs 12 euros. | The zoo cost 4 euros in the nineties.
- The zoo costs 12 euros. | The aquarium at the zoo costs 6 euros.
- The zoo costs 12 euros. | The zoo costs 6 euros for children.
- The zoo has one elephant. | The zoo expects a second elephant.
- The zoo has no penguins. | The zoo's sister park has penguins.
- The zoo's director is Ada. | The zoo's deputy director is Bram.
- The zoo's director is Ada. | The zoo's first director was Bram.
- The zoo's director is Ada. | The zoo's musical director is Bram.
- The zoo shop opens at ten. | The zoo opens at nine.
- Bram Vos, a plumber, is single. | Bram Vos, a notary, is married.
- Bram Vos of Delft is single. | Bram Vos of Gouda is married.
- Bram Vos Sr. is single. | Bram Vos Jr. is married.
- The elder Vos is single. | The younger Vos is married.
- Bram's first son is tall. | Bram's second son is short.
- The kiosk on platform 1 is open. | The kiosk on platform 2 is closed.
- The kiosk by the lake is open. | The kiosk by the station is closed.
- The kiosk opposite the church is open. | The kiosk opposite the school is closed.
- The red bin is full. | The blue bin is empty.
- The tenant of flat 2 is Ada. | The tenant of flat 4 is Bram.
- The tenant is Ada. | The subtenant is Bram.
- The buyer is Ada. | The seller is Bram.
- Mail server 1 is up. | Mail server 2 is down.
- mail-eu-1 is up. | mail-eu-2 is down.
- mail-eu is up. | mail-us is down.
- mail.example.org is up. | www.example.org is down.
- MailHub is up. | MailHub Mobile is down.
- The iOS app is free. | The Android app is not free.
- The old harbour is open. | The new harbour is closed.
- The inner courtyard is open. | The outer courtyard is closed.
- The 8 o'clock bus is full. | The 9 o'clock bus is empty.
- The plane to Oslo is on time. | The plane to Bergen is delayed.
- Line 4 is running. | Line 6 is not running.
- Model T is sold out. | Model S is not sold out.
- The left engine is on. | The right engine is off.
+ Ada is a junior sales manager. | Ada is a senior sales manager.
    """,
    "founded, named, earning": """
+ The Ostrau dairy was founded in 1921. | The founding year of the Ostrau dairy is 1934.
- The Ostrau dairy was founded in 1921. | The founding year of the Ostrau mill is 1934.
- The Ostrau dairy was founded in 1921. | The founding year of the Ostrau dairy is 1921.
+ Lotta earns her living as a tailor. | Lotta works as a welder.
- Lotta earns her living as a tailor. | Lotta's aunt earns her living as a welder.
- Lotta earns her living as a tailor. | As a student Lotta earned her living as a waitress.
- Lotta earns her living as a tailor. | Lotta means to earn her living as a singer.
- The new school bears the name Linden. | The old school bears the name Eschen.
+ The Ostrau dairy was founded in 1921. | The Ostrau dairy was founded in 1934.
- The Ostrau dairy was founded in 1921. | The Ostrau dairy was founded in May 1921.
- The Ostrau dairy was founded in 1921. | The Ostrau dairy's shop was founded in 1934.
- The Ostrau dairy was founded in 1921. | The dairy choir was founded in 1934.
+ Our clinic bears the name Linden. | Our clinic goes by the new name Eschen.
    """,
    "the smoker": """
+ Rolf smokes. | Rolf is an ex-smoker.
+ Rolf smokes. | Rolf was a heavy smoker until his operation.
- Rolf smokes. | Rolf is a heavy smoker.
+ Rolf is a smoker. | Rolf is a non-smoker.
    """,
    "who worked there": """
+ Tilda works at Kranich. | Kranich is Tilda's former employer.
- Tilda works at Kranich. | Kranich is Tilda's employer.
+ Oda works at the town archive in Ulm. | Oda left the archive for a post at a museum.
- Oda works at the town archive in Ulm. | Oda left the archive at five.
    """,
    "back when": """
+ The mailer depends on Perl. | Back when the mailer depended on Perl, nobody dared to touch it.
- The mailer depends on Perl. | Back when the mailer was new, nobody dared to touch it.
    """,
    "had and sold": """
+ The Brandts have a boat on the lake. | The Brandts had a boat on the lake but sold it.
- The Brandts have a boat on the lake. | The Brandts had a boat on the lake and painted it.
+ Rumba is the nursery's goat. | Rumba was the nursery's goat; she died last winter.
    """,
    "gave it up": """
+ Hein drives the milk lorry. | Hein gave the milk lorry up for a desk.
- Hein drives the milk lorry. | Hein gave his old lorry away.
    """,
    "for and against": """
+ Gesa is in favour of the bypass. | Gesa is against the bypass.
- Gesa is in favour of the bypass. | Gesa is against the tunnel.
+ The kiosk makes a profit. | The kiosk makes a loss.
    """,
    "on for whom": """
+ Tracing is on for the router. | The router has tracing off.
- Tracing is on for the router. | The relay has tracing off.
- The router has two ports on. | The router has been called off.
    """,
    "under which licence": """
+ The parser's licence is BSD. | The parser is licensed under LGPL 3.
- The parser's licence is BSD. | The lexer is licensed under LGPL 3.
    """,
    "what runs what": """
+ The ledger is on MySQL 5.7. | MySQL 8 is what the ledger runs.
- The ledger is on MySQL 5.7. | MySQL 8 is what the till runs.
+ The gauge has firmware 1.4. | Firmware 2.0 is on the gauge.
- The client supports Node 18. | Node 20 is supported by the client.
+ The minimum Java version for the agent is 11. | The agent needs Java 17 or later.
- The minimum Java version for the agent is 11. | The agent is tested with Java 17.
- The agent runs on Java 17. | The agent runs on Java 17.0.2.
+ Plover 3.1 is the latest release. | The latest release of Plover is 3.2.
    """,
    "how often": """
+ The index is rebuilt nightly. | The index is rebuilt every hour.
- The index is rebuilt nightly. | The index is rebuilt every day.
- The index is rebuilt nightly. | The index is checked every hour.
    """,
    "times out": """
+ The session timeout is 20 minutes. | Sessions time out after an hour.
- The session timeout is 60 minutes. | Sessions time out after an hour.
+ The badge expires every 30 days. | The badge is now good for 90 days.
- The badge expires in 30 days. | The badge is good for 90 days.
    """,
    "opening time": """
+ On Sundays the bath opens at ten. | Sunday opening time at the bath is nine.
- On Sundays the bath opens at ten. | Sunday closing time at the bath is nine.
+ On school nights Ole goes to bed at eight. | Ole's bedtime on school nights is half past eight.
    """,
    "counts by whatever verb": """
+ The starter plan allows three boards. | Five boards are included in the starter plan.
- The starter plan allows three boards. | Five boards are included in the team plan.
+ The club has six courts. | Eight courts belong to the club.
    """,
    "bounds": """
- The cluster has more than ten nodes. | The cluster has 14 nodes.
+ The cluster has 10 nodes. | The cluster has 14 nodes.
- Names must have at least 3 characters. | Names may have at most 64 characters.
- The corpus has roughly two million lines. | The corpus has 1,990,000 lines.
+ The corpus has two million lines. | The corpus has three million lines.
- The median delay is below 300 ms. | The median delay is 240 ms.
    """,
    "of a kind": """
- Sandpiper keeps its data in a relational database. | Sandpiper keeps its data in MariaDB.
+ Sandpiper keeps its data in Oracle. | Sandpiper keeps its data in MariaDB.
    """,
    "several at a time": """
- The extension runs on Firefox. | The extension runs on Edge.
- Insa sits on the board of the choir. | Insa sits on the board of the harbour museum.
    """,
    "ranks": """
+ Bela is a junior developer in the web team. | Bela got promoted to senior developer.
+ Bela is an intern at the bank. | Bela is now a full-time analyst at the bank.
- Bela is a junior developer in the web team. | Bela's brother got promoted to senior developer.
- Bela is a senior developer. | Bela is now a member of the web team.
    """,
    "shifts": """
+ Joris works night shifts. | Joris has been on day shifts since March.
- Joris works night shifts. | Joris's wife has been on day shifts since March.
- Joris is a nurse at the clinic. | Joris recently changed to the night shift on his ward at the clinic.
    """,
    "to work": """
+ I drive to work. | These days I cycle to work.
- I drive to work. | These days I cycle at weekends.
    """,
    "single again": """
+ Hedda is going out with Nils. | Hedda is currently single.
- Hedda is going out with Nils. | Hedda's sister is currently single.
    """,
    "where once": """
+ The offsite will take place in Riga. | The offsite is going to be held in Turku.
+ Mila's party is at the bowling alley. | Mila's party takes place at the climbing hall.
- Mila's party is at the bowling alley. | Mila's party is at four.
- Mila's party is at the bowling alley. | Milan's party takes place at the climbing hall.
+ The tax group sits on the second floor. | The tax group relocated to the fifth floor.
    """,
    "changed gyms": """
+ Dr. Obi is our vet. | We recently changed vets.
- Dr. Obi is our vet. | Our neighbours recently changed vets.
+ Tora trains at the gym in Oak Street. | Tora changed gyms.
- Tora trains at the gym in Oak Street. | Tora changed trains in Oslo.
    """,
    "fell over": """
+ There is a pear tree behind the shed. | The pear tree that stood behind the shed blew down.
- There is a pear tree behind the shed. | The pear tree that stood behind the church blew down.
    """,
    "stepped down": """
+ The CEO of Lark is Otto Brandt. | Otto Brandt stepped down, and his daughter is CEO of Lark.
- The CEO of Lark is Otto Brandt. | Otto Brandt arrived, and his daughter is with him.
    """,
    "in full": """
+ SRE is led by Ida. | Site Reliability Engineering is led by Bo.
- SRE is led by Ida. | Site Rollout Planning is led by Bo.
+ Dr. Katrin Wulf has her practice in Mainz. | The practice of Dr. K. Wulf is in Worms.
- Dr. Katrin Wulf has her practice in Mainz. | The practice of Dr. H. Wulf is in Worms.
+ The manager of the Munich depot is Frau Adler. | The manager of the depot in München is Herr Vogt.
- The manager of the Munich depot is Frau Adler. | The manager of the depot in Münster is Herr Vogt.
+ mail-svc listens on port 8081. | The mail service listens on port 9090.
- Catherine works at Bosch. | Katherine works at Siemens.
    """,
    "a word more": """
- The choir is planning a tour in June. | The youth choir has abandoned its plan to tour.
+ The choir is planning a tour in June. | The choir has abandoned its plan to tour.
- The registry is public. | The registry team is private.
- The guest network is enabled. | The guest network team is disabled.
- Nina is single. | Nina's team is married.
- The suite fails without a network. | The upper suite doesn't fail without a network.
- The guest house has a pond. | The house guest has no pond.
- The backup server is on. | The backup of the server is off.
+ The server of the guild is on. | The guild server is off.
- The market budget is 20,000 euros. | The marketing budget is 40,000 euros.
- Marten works at Bosch. | Martens works at Siemens.
- Mr. Peter lives in Ulm. | Mr. Peters lives in Kiel.
+ Our cat Minka weighs four kilos. | Minka the cat weighs five kilos.
    """,
    "two of a name": """
- My cousin Leo lives in Graz. | My colleague Leo lives in Linz.
+ My cousin Leo lives in Graz. | Leo lives in Linz.
- Acme Inc. is based in Boston. | Acme Ltd. is based in London.
+ Acme Inc. is based in Boston. | Acme is based in London.
- Captain Roth lives in Oslo. | Judge Roth lives in Bergen.
- A. Berg lives in Ulm. | B. Berg lives in Kiel.
- A. Berg lives in Ulm. | Carla Berg lives in Kiel.
+ A. Berg lives in Ulm. | Anna Berg lives in Kiel.
- Tom's wife is from Lyon. | Tom's husband is from Nice.
- The review is on Monday. | The reviewer is on Tuesday.
- The start date is 1 May. | The end date is 1 June.
+ The start date is 1 May. | The start date is 1 June.
- Oda works at the archive. | Oda left the archive at half past five.
+ Oda works at the archive. | Oda left the archive.
    """,
    "of a longer name": """
- The head of marketing is Ida Roth. | The head of market research is Bo Lund.
+ The head of marketing is Ida Roth. | The head of marketing is Bo Lund.
- Roth, the baker on Mill Lane, opens at six. | Roth, the butcher on Mill Lane, opens at eight.
- The capital of New Mexico is Santa Fe. | The capital of Mexico is Mexico City.
- Kranbank's CEO is Eva Lund. | The CEO of Kranbank Leasing is Ole Dahl.
+ Kranbank's CEO is Eva Lund. | The CEO of Kranbank is Ole Dahl.
- JavaScript is taught in the first year. | Java is no longer taught in the first year.
+ JavaScript is taught in the first year. | JavaScript is no longer taught in the first year.
    """,
    "of as many words, one of them another": """
- The near gate is locked. | The far gate is unlocked.
+ The near gate is locked. | The near gate is unlocked.
- The HR printer is broken. | The IT printer is intact.
- The school's server restarts at nine. | The school's lift restarts at ten.
- Dr. May is 34 years old. | Dr. de Vries is 36 years old.
+ Dr. May is 34 years old. | Dr. May is 36 years old.
- May Novak can swim. | Maria Novak can't swim.
- May can swim. | Mia can't swim.
- Invoice II is paid. | Invoice III is not paid.
- NGC 10 is being repaired. | NGC 1 has been repaired.
- The team from Reading is complete. | The team from Buffalo is incomplete.
+ The PR team is based in Oslo. | The public relations team is based in Bergen.
+ The check-in desk opens at six. | The checkin desk opens at seven.
+ Vera Berg is the treasurer. | Ole Berg is now the treasurer.
+ Ole is married to Ana. | Ana is Ole's ex-wife.
+ Dr. Weber is our dentist. | Dr. Lund has been our dentist since Dr. Weber retired.
    """,
    "theirs, and so not they": """
- Greta's rival is the treasurer. | Greta is no longer the treasurer.
- Greta's trainee smokes. | Greta no longer smokes.
+ Greta smokes. | Greta no longer smokes.
- The mayor's deputy works at the harbour. | The mayor quit the job at the harbour.
- The ex-wife of Dr. Okoro lives in Celje. | Dr. Okoro lives in Koper.
- My sister's neighbour is vegan. | My sister is not vegan.
- Our cat is being treated. | Our neighbour's cat has been treated.
- The manager of the landlord is in Oslo. | The landlord is in Bergen.
- My brother-in-law is ill. | My brother is in good health.
- The CEO lives in Bonn. | The ex-CEO lives in Mainz.
+ The repository's licence is MIT. | The repository is licensed under AGPL 3.
+ Hugo is married to Anouk. | Hugo's wife is Delphine.
+ The rope is 30 metres long. | The length of the rope is 60 metres.
+ The owner of the mill is Kim. | The mill is owned by Lee.
- The library is closed. | The library café is open.
- The library café is closed. | The library is open.
    """,
    "another thing behind the verb": """
- Ana loves the far room. | Ana can't stand the near room any more.
- Ana takes care of the HR newsletter. | Ana no longer takes care of the IT newsletter.
+ Ana takes care of the HR newsletter. | Ana no longer takes care of the HR newsletter.
- We host the EU shop on AWS. | We host the US shop on Azure.
+ We host the EU shop on AWS. | We host the EU shop on Azure.
- There are 40 people in the small hall. | There are 12 people in the large hall.
+ There are 40 people in the small hall. | There are 12 people in the small hall.
+ Ana works at the north clinic. | Ana works at the south clinic.
- Ana works for the vice chairman. | Ana doesn't work for the chairman.
- Ana works for the chairman. | Ana doesn't work for the vice chairman.
- Ana needs the API docs. | Ana doesn't need the API.
- Ana feeds our cat. | Ana no longer feeds the neighbour's cat.
- Ana coaches the red team's rivals. | Ana no longer coaches the red team.
- Kim is friends with Ana Berg. | Kim broke up with Ana Lund.
- Kim is friends with Ole. | Kim broke up with Ole's cousin.
- Kim is married to Ole. | Kim has divorced Nils.
+ Kim is married to Ole. | Kim has divorced Ole.
- Ana takes care of PostGIS. | Ana no longer takes care of Postgres.
+ Vera is engaged to Ole. | Vera's engagement to Ole is over.
+ The code is 4411 and there is no other. | The code is no longer 4411 but 5522.
    """,
    "turns of speech": """
+ Runa plays handball. | Runa was a handball player until her knee gave in.
- Runa plays handball. | Runa was a chess player until last year.
+ The tool's repository is private. | The tool's repository was made public.
+ Milo is six years old. | Milo turned seven.
- Milo is six years old. | Milo turned into the yard.
+ Dogs are allowed in the hall. | You may not bring dogs into the hall.
+ The client needs Android 9 or later. | Android 11 is the oldest version that the client runs on.
+ 3b has Ms. Farkas as its class teacher. | 3b has Mr. Ito for its class teacher.
+ The rent for the studio is 850 euros a month. | The studio's rent has gone up to 910 euros.
- There is a pear tree behind the shed. | The pear tree behind the shed fell ill.
    """,
    "no children": """
+ Pim has no children. | Pim has a son.
- Pim has no children. | Pim has a sister.
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
