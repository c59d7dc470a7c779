"""The words that indicate the overlays, by overlay and weight.

A word counts in all its forms (test, tests, tested; never latest), `crypto*` matches every word with this prefix, and
several words are a phrase. Each counts once in a turn, regardless of repeats. One decisive word makes a high score, two
plain ones do; weak ones need others.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from graphmem.model.turns import Overlay

DECISIVE, PLAIN, WEAK = 2.0, 1.0, 0.5


@dataclass(frozen=True, slots=True)
class Words:
    """The entries of one overlay: comma-separated texts."""

    decisive: str
    plain: str
    weak: str


WORDS: Mapping[Overlay, Words] = {
    "O1": Words(
        decisive="""
            architect*, microservice, monolith, decoupl*, tightly coupled, loosely coupled, design pattern, data
            model, hexagonal, bounded context, domain model, separation of concerns, separate concerns, single
            responsibility, module boundary, service boundary, class hierarchy, god class, layered, event sourcing,
            public interface, api surface, component diagram, dependency injection, folder structure, directory
            structure, project structure, plugin system, system design, state machine, refactor*, interface,
            abstraction, modular*, encapsulat*, subclass, own module, one module, own class, split into, message bus,
            event bus, foreign key, schema design, entry point, base class, source of truth
        """,
        plain="""
            structur*, component, module, superclass, layer, schema, coupling, coupled, cohesion, adapter, facade,
            repository pattern, factory, middleware, wrapper, boundary, namespace, subsystem, backend, frontend,
            responsibility, aggregate, design, redesign, class, split, entity, topology, inherit*, composition, mixin,
            orm, constructor, protocol, implementation, data structure, table, column, method, plugin, dataclass,
            struct, trait, enum, generic, singleton, observer, record type, normalised, denormalised, one to many,
            many to many, queue between, layering, reusable, duplicat*, tangled, spaghetti, extracted into, two
            layers, clean up the code, its own file, own folder, pass in, swapped out, pulled out of, pull out of,
            knows about, does not know, responsible for, glue
        """,
        weak="""
            api, service, endpoint, function, pattern, organi*, folder, directory, separate, diagram, layout, type,
            model, graphql, rest, queue, event, object, controller, handler, library, framework, hook, gateway,
            consolidat*, store, registry, router, shared, field, file, argument, signature, contract, relation, view,
            parser, client, storage, package, extract, line of code
        """,
    ),
    "O2": Words(
        decisive="""
            vulnerab*, csrf, xss, sql injection, threat model, least privilege, access control, attacker, exploit*,
            cve, penetration test, pentest, security, encrypt*, decrypt*, brute force attack, privilege escalation,
            two factor, multi factor, mfa, 2fa, oauth*, man in the middle, path traversal, ssrf, rce, phishing,
            secrets manager, leaked secret, leaked key, credential*, key rotation, zero trust, malware, ransomware,
            sanitis*, sanitiz*, authenticat*, authoriz*, authoris*, jwt, bcrypt, argon2, hijack*, data protection,
            deny by default, access token, api token, upload token, private key, api key, secret key, in plain text,
            in plaintext, data breach, unauthorised, unauthorized, insecure, access rights, client secret, signing
            key, session fixation, replay attack, personal data, compromised, data leak, password hash, escalat*
            privilege, certificate expire, security hole, admin rights, user rights, security policy, session token,
            rotate the key, rotate the secret, log in as, expose secrets, attack surface, attack vector, denial of
            service, ddos, rate limiting login, access policy
        """,
        plain="""
            secur*, authn, authz, auth, permission, password, passphrase, secret, cipher, tls, ssl, certificate,
            https, firewall, sandbox, injection, threat, malicious, privilege, rbac, acl, pii, gdpr, hipaa,
            compliance, privacy, redact*, tamper*, spoof*, breach, audit log, audit trail, hmac, salt, hashed, public
            key, session cookie, samesite, httponly, cors, csp, allowlist, denylist, impersonat*, kms, vault, nonce,
            sso, saml, refresh token, bearer, untrusted, plaintext, revoke*, lockout, admin only, forbidden,
            sensitive, phone number, allowed to, leak*, expose*, access right, permission check, log in attempt,
            unencrypted, guess the id, anybody can, anyone can, everyone can, customer data, user data, reachable
            without, without being logged, lock the account, got out, stolen, strip name, forge, forged, forgery, user
            role, admin role, roles and permissions
        """,
        weak="""
            token, scope, session, header, expire, expiry, restrict, validate input, user input, rate limit, hash,
            key, sign, protect, verify, admin, policy, trusted, deny*, attack, escape, login, log in, logged in,
            signature, cookie, rotate, access, refuse, public, risk, private, e mail address
        """,
    ),
    "O3": Words(
        decisive="""
            depend on, dependency, dependenc*, upstream, downstream, blast radius, call chain, call graph, root cause,
            provenance, lineage, supersed*, transitive*, trace back, where it came from, where does it come from, came
            from, prior decision, earlier decision, import cycle, circular import, git blame, git bisect, changelog,
            who call, what call, who use, caller, consumer of, rely on, relies on, what break, will break, break if,
            affected by, introduced by, introduced in, derived from, goes back to, dates back, based on what we, used
            by, stems from, traced to, history of, who else, who read, what read, both need, which part use, nobody
            call, hang together
        """,
        plain="""
            earlier, previously, origin*, derive, inherit, consumer, predecessor, successor, ancestor, import,
            deprecat*, refer, reference, trace, traceab*, impact, affect, stem from, based on, builds on, regression
            introduced, remember when, last time, last week, yesterday, version history, blame, propagat*, legacy,
            mention, recall, lockfile, reliant, follow up, discussed, indirectly, directly depend, breaking change,
            reused, replaced by, as before, originally, you said, i said, we said, back then, pull in, pulled in,
            pinned, what hangs on, comes from, since version, moved to, need the, use the same, reads from, fed by,
            feeds into, filled by, you told, taken from, is used in, is read by, is called by
        """,
        weak="""
            link, related, relate, pin, upgrade, bump, previous, chain, affects, rename, because of, come from, go
            back
        """,
    ),
    "O4": Words(
        decisive="""
            our goal, the goal, main goal, my goal, north star, mission, roadmap, strategic*, strategy, objective,
            okr, success metric, success criter*, design principle, guiding principle, vision, value proposition,
            business goal, product goal, long term, the purpose, whole point, milestone, out of scope, in scope, non
            goal, we want to achieve, want to achieve, what matters, stakeholder, definition of done, trade off,
            tradeoff, our priority, top priority, the priority, change of plan, the plan is, we decide, i decide, we
            agree, not negotiable, non negotiable, the promise, we promise, our promise, the aim, more important than,
            the point of, big picture, in the long run, first release, bottom line, the deal is
        """,
        plain="""
            goal, purpose, principle, priorit*, aim, achiev*, accomplish*, intent, intention, target, decision,
            decide, deadline, quarter, launch, business, ambition, aspir*, philosophy, motivation, mvp, beta,
            deliverable, initiative, kpi, direction, sla, slo, budget, promise, plan, requirement, commit to, must
            never, open question, customer, resolution, secondary, non profit, ship with, ambitious, the scope,
            resolution for, we choose, we chose, focus on, promised, not worth, don't want, do not want, pilot, we
            will not, would rather, non-goal, end of the month, end of the year
        """,
        weak="""
            must, should, product, important, team, option, approach, release, ship, proposal, benefit, reason, why,
            adopt, agree, want, dream, hope to, choose, chose, need, must have, worth it, vote, focus, phase, in the
            end
        """,
    ),
    "O5": Words(
        decisive="""
            deploy*, redeploy*, rollback, roll back, rolled back, kubectl, docker, dockerfile, ci pipeline, runbook,
            cron job, crontab, systemctl, terraform, ansible, helm, command line, shell script, npm run, npm install,
            pip install, git push, git commit, git rebase, git merge, makefile, docker compose, release process, on
            call, step by step, restart*, provision*, apt get, zero downtime, blue green, canary, run the migration,
            run the migrations, maintenance page, maintenance window, dry run, health check, environment variable,
            release workflow, successfully built, pull request, git pull, rsync, scp, ssh, systemd, reboot*, go live,
            cut over, cutover, on staging, in production, to production, to staging, the logs, log file, access log,
            error log, steps in order, release steps, cron entry, flash the firmware, run the script, run the job, run
            the command, run the importer
        """,
        plain="""
            rerun, execut*, command, pipeline, script, install*, build, rebuild, procedure, operat*, migrat*,
            configur*, setup, set up, cron, schedul*, staging, production, publish, commit, merge, rebase, push, ci,
            cd, backup, restore, monitor*, alert, container, cluster, kubernetes, k8s, pod, terminal, hotfix,
            automat*, maintenance, outage, downtime, tail, curl, chmod, sudo, npm, yarn, pip, git, rollout, roll out,
            nginx, daemon, apply*, applied, rolled out, checkout, upgrade, reload*, workflow, psql, drain, replica,
            dns, load balancer, autoscal*, queue worker, worker, artefact, artifact, cached layer, run, server,
            logrotate, patch, git branch, feature branch, disk full, virtual machine, cpu, firmware, gateway restart,
            env var, ip address, queue depth
        """,
        weak="""
            step, start, stop, kill, process, implement*, release, create, update, delete, remove, check out,
            download, upload, folder, enable, disable, trigger, fix, exit code, cli, flag, scale, incident, log,
            branch, image, instance, disk, proxy, machine, port, host, copy the, job
        """,
    ),
    "O6": Words(
        decisive="""
            algorithm*, time complexity, space complexity, big o, theorem, lemma, proof, equation, formula, dynamic
            programming, binary search, breadth first, depth first, shortest path, dijkstra, standard deviation,
            linear algebra, matrix multiplication, dot product, cosine similarity, gradient descent, eigen*,
            logarithm*, polynomial, combinatori*, probability distribution, modular arithmetic, topological sort,
            asymptotic*, amortised, amortized, quadratic, closed form, hash function, bloom filter, bayes*, monte
            carlo, fibonacci, prime number, exponential backoff, moving average, haversine, newton, bisection,
            derivative, integral, sine, square root, half life, weighted sum, weighted average, expected value,
            confidence interval, linear regression, least squares, null hypothesis, interpolat*, trigonometr*,
            differential, n squared, log n, worst case, upper bound, lower bound, travelling salesman, knapsack,
            greedy, backtracking, nearest neighbour, nearest neighbor, expected number, standard error, sum of
            squares, per cent of, rule of three, triangle inequality, distance matrix, adjacency, hash table, moving
            window, exponential smoothing, time series, interpolation, quantile, rounded to, rounds to, error margin,
            margin of error
        """,
        plain="""
            complexity, calculat*, comput*, matrix, vector, probabilit*, statistic*, gradient, recursion, recursive*,
            traversal, percentile, variance, median, average, ratio, modulo, exponent*, linear, optimi*, converg*,
            coefficient, weighted, normalis*, normaliz*, cosine, euclidean, heuristic, memoi*, iterat*, bitwise, xor,
            checksum, entropy, permutation, math*, arithmetic, numeric*, geometric*, multipl*, divide, subtract,
            decay, tie break, rounding, overflow, off by one, throughput, percent*, squared, summation, mod,
            amplitude, phase, frequency, tolerance, slope, angle, radian, proportional, logic, sort, sorted,
            invariant, decimal, fraction, order of magnitude, epsilon, sampling, histogram, times as, twice as,
            halve*, sum, maximum, minimum, factor, interval, curve, estimat*, roots, plus or minus, odds of, score
            function, scoring, score each, linear scan, lookup table, offset, calibrat*, outlier, standard, delta,
            cumulative, rate of, per unit, divided, capped at, per day, squared off, spikes, sort by, shorter tour,
            log scale, minus the, divided by, equal to, double each, doubles with, doubling
        """,
        weak="""
            threshold, distance, integer, float, loop, variable, condition, regex, parameter, approximate*, per
            second, latency, formulae, evaluate, constant, hash, worked out, plus, minus, score, bracket, number,
            count, limit, graph, tree, index, digits, second, radius, cheaper, fair, weight, weights
        """,
    ),
    "O7": Words(
        decisive="""
            unit test, integration test, end to end test, test suite, test case, test coverage, regression test,
            acceptance test, acceptance criter*, validat*, verif*, sanity check, double check, code review,
            retrospective, post mortem, postmortem, property test, load test, smoke test, smoke step, benchmark*,
            lessons learned, lesson learned, inconsisten*, coherent, coherence, line up with, aligned with, quality
            gate, pytest, assertion, fuzz*, mutation test, checked against, check against, compared with, compared to,
            as expected, does it still, tests pass, test fail, npm test, reviewed, review it, peer review, golden
            file, matches the, went well, prove it, proven, look over, second look, code against, add a case, looking
            back, look back
        """,
        plain="""
            test, tester, check, review, assess*, reflect*, measure*, assert*, coverage, regression, audit, confirm*,
            prove, inspect*, compar*, correctness, flaky, mock, fixture, qa, criteria, rubric, retro, align, align*,
            evidence, reproduc*, accuracy, hypothesis, critique, e2e, trial, scorecard, sign off, proofread, cross
            check, tdd, snapshot test, difference, passed, failed, consisten*, edge case, spot check, counterexample,
            remarks, mismatch, discrepan*, contradict*, evaluated, agree with, agrees with, measurement, does that
            hold, expected value of the test, code quality, bug report, reproducible, user feedback, learned from,
            tested against, ground truth, spot checks, covered, requirement, asked for, uncovered, look through,
            drift*, does it hold, measured, by hand check, off by
        """,
        weak="""
            pass, fail, failing, make sure, ensure, correct, green, red, looks good, should be, diff, evaluat*, wrong,
            result, error, expected, quality, precision, experiment, feedback, learned
        """,
    ),
}
