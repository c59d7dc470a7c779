"""Sentences that stand for the overlays, and some that stand for none: what turns are met with where a memory is still
empty. Their vectors are made once, by whatever embedder is used."""

from collections.abc import Mapping

from graphmem.model.turns import Overlay

ANCHORS: Mapping[Overlay, tuple[str, ...]] = {
    "O1": (
        "We split the monolith into services with clear boundaries.",
        "The architecture has three layers: routes, services and storage.",
        "Put the parser behind an interface so that it can be exchanged.",
        "This class does too much; move the rendering into a component of its own.",
        "The modules are too tightly coupled to each other.",
        "How should we structure the folders of the project?",
        "Let's design the data model: an order has many lines.",
        "The repository hides the database from the rest of the code.",
        "Refactor the handler into smaller functions in separate modules.",
        "Which component owns this responsibility?",
        "The schema needs a table for invoices and a foreign key to customers.",
        "We use a plugin architecture in which each format is an adapter.",
        "Events go through a message bus between the backend services.",
        "The frontend talks to one gateway that calls the other services.",
        "Extract the common code into a shared package.",
        "Every subsystem exposes one small public API.",
        "I would model this as a state machine with an explicit type for each state.",
    ),
    "O2": (
        "Passwords must be hashed with a slow algorithm and a salt.",
        "An attacker could inject SQL through this form field.",
        "The access token is leaked in the logs.",
        "Only administrators may have permission to delete users.",
        "Rotate the credentials, they were committed to the repository.",
        "We need authentication before anybody can call this endpoint.",
        "All traffic has to be encrypted with TLS.",
        "This dependency has a known vulnerability.",
        "Personal data of customers must not leave the region.",
        "The cookie is missing the secure and http-only attributes.",
        "What is the threat model for uploaded files?",
        "Validate and escape whatever comes from an untrusted client.",
        "Secrets belong in a vault and not in environment files.",
        "Sessions should expire and be revoked after a password change.",
        "Somebody tried to log in a thousand times with guessed passwords.",
        "Give the service account the least privileges it can work with.",
        "Verify the signature of the webhook before you trust it.",
    ),
    "O3": (
        "As we said earlier, the queue stays where it is.",
        "This module depends on the billing library.",
        "What breaks downstream if we change this function?",
        "The decision goes back to what we discussed last week.",
        "That behaviour was introduced by an older commit.",
        "The report service consumes the events that the importer produces.",
        "Remember that you mentioned this problem before.",
        "This value is derived from the one in the configuration.",
        "The new format replaces the old one that we had since the beginning.",
        "Which other packages import this file?",
        "The root cause was a change in an upstream library.",
        "Coming back to your earlier question about the cache.",
        "It follows from the previous step, which changed the key.",
        "We pinned that version because the later ones broke the build.",
        "Trace the number back to the table it came from.",
        "In the last session we had agreed on a different name.",
    ),
    "O4": (
        "Our goal is that new users get a result within five minutes.",
        "The purpose of this project is to give small shops their own data.",
        "Our top priority this quarter is reliability, not features.",
        "We decided to support only one platform for the first release.",
        "The strategy is to win developers first and companies later.",
        "A principle of ours: never lose what a user has written.",
        "What do we want to achieve with this migration?",
        "That is out of scope for the minimum viable product.",
        "The milestone for March is a public beta with ten customers.",
        "Success means that half of the support questions disappear.",
        "In the long term we want to be independent of one provider.",
        "This must work offline, that is not negotiable.",
        "We accept slower writes for the sake of simpler operation.",
        "The plan is to launch in spring and to grow from there.",
        "Which of these options serves our users best?",
        "The vision is a memory that people can trust.",
    ),
    "O5": (
        "Run the migration script and restart the service.",
        "Deploy the new version to staging, then to production.",
        "Install the packages and start the development server.",
        "The build pipeline failed at the step that publishes the image.",
        "Execute this command in the terminal.",
        "Roll back the release if the error rate goes up.",
        "The nightly job copies the backup to another region.",
        "Set the environment variable before you start the worker.",
        "Push the branch and open a pull request.",
        "Scale the cluster to five nodes during the sale.",
        "First stop the queue, then drain it, then upgrade.",
        "Add a health check to the container.",
        "The on-call engineer follows the runbook when the alert fires.",
        "I edited the configuration file and reloaded the proxy.",
        "Schedule the cleanup to run every Sunday night.",
        "Here is the workflow for a release, step by step.",
        "Tail the logs and see whether requests come in.",
    ),
    "O6": (
        "The algorithm runs in n log n time.",
        "Compute the weighted average of the scores.",
        "The probability that two random keys collide is tiny.",
        "Proof by induction over the length of the list.",
        "The formula is the sum of the squares divided by the count.",
        "Use dynamic programming to find the shortest edit distance.",
        "Multiply the matrix with the vector and normalise the result.",
        "The recursion ends when the remaining interval is empty.",
        "The standard deviation of the latencies is forty milliseconds.",
        "A binary search over the sorted array needs twenty steps.",
        "The gradient of the loss with respect to the weights.",
        "Round half up and clamp the result between one and ten.",
        "We can bound the error of the estimate by a constant.",
        "The backoff doubles with each retry, up to a maximum.",
        "Traverse the graph breadth first and keep the distance of each node.",
        "Take the hash of the key modulo the number of buckets.",
    ),
    "O7": (
        "Let's write a test that fails before the fix and passes after it.",
        "Please review my change before I merge it.",
        "The benchmark shows that the second variant is faster.",
        "We should verify that the numbers add up.",
        "Does this still agree with what we set out to do?",
        "All unit tests pass and coverage went up.",
        "In the retrospective we asked what went well and what did not.",
        "Check the result against the old system for a week.",
        "The two documents contradict each other.",
        "How do we measure whether this is an improvement?",
        "Validate the output with a sample of real data.",
        "Looking back, the estimate was far too optimistic.",
        "The acceptance criteria are met except for one.",
        "I double-checked the edge cases and found one that is wrong.",
        "Reproduce the bug first, so that we know what we fix.",
        "The experiment confirmed our hypothesis.",
        "Audit the code for places where the rule is broken.",
    ),
}

NEUTRAL: tuple[str, ...] = (
    "Thanks a lot, that helps!",
    "Good morning, how are you today?",
    "We had dinner at my parents' place on Sunday.",
    "What a lovely day, I went for a walk in the park.",
    "My sister plays the violin in an orchestra.",
    "Sounds good, talk to you tomorrow.",
    "Have you seen the new film with that actor?",
    "The recipe needs two eggs and a bit of butter.",
    "I am tired, the kids woke me up at five.",
    "Our team won the football match in the last minute.",
    "Okay, sure, no problem.",
    "The train was late again because of the snow.",
    "We are planning a trip to the sea in summer.",
    "She bought a new dress for the wedding.",
    "Could you say that again, please?",
    "My dog is afraid of fireworks.",
    "I have been reading a novel about the war.",
    "He is training for his first marathon.",
    "Which colour should I paint the living room?",
    "Happy birthday! I hope you have a great party.",
)
"""What people say that belongs to no overlay. A turn must be nearer to an overlay than to these."""


def anchor_id(overlay: Overlay, place: int) -> str:
    return f"{overlay}#{place + 1}"


def anchor_text(id_: str) -> str | None:
    """The sentence of an anchor by its id; None for what is none, or is no more.

    >>> anchor_text("O4#16"), anchor_text("a fact")
    ('The vision is a memory that people can trust.', None)
    """
    overlay, mark, place = id_.partition("#")
    known = next((one for one in ANCHORS if one == overlay), None)
    if not mark or known is None or not place.isdecimal():
        return None
    sentences = ANCHORS[known]
    return sentences[int(place) - 1] if 0 < int(place) <= len(sentences) else None
