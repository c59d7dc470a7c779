"""The words that say what a turn is about, by overlay and weight.

A word counts in all its forms (test, tests, tested; never latest), `crypto*` stands for every word that begins so, and
several words are a phrase. Each counts once in a turn, however often it is said. One decisive word makes a high score,
two plain ones do; weak ones need company.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from graphmem.model.turns import Overlay

DECISIVE, PLAIN, WEAK = 2.0, 1.0, 0.5


@dataclass(frozen=True, slots=True)
class Words:
    """What counts for one overlay: texts of entries with commas between them."""

    decisive: str
    plain: str
    weak: str


WORDS: Mapping[Overlay, Words] = {
    "O1": Words(
        decisive="""
            architect*, microservice, monolith, decoupl*, tightly coupled, loosely coupled, design pattern, data
            model, hexagonal, bounded context, domain model, separation of concerns, single responsibility, module
            boundary, service boundary, class hierarchy, god class, layered, event sourcing, public interface, api
            surface, component diagram, dependency injection, folder structure, directory structure, project
            structure, plugin system, system design
        """,
        plain="""
            structur*, refactor*, component, interface, module, modular*, modulari*, subclass, superclass, layer,
            schema, abstract*, coupling, coupled, cohesion, encapsulat*, adapter, facade, repository pattern, factory,
            middleware, wrapper, boundary, namespace, subsystem, backend, frontend, responsibility, aggregate, design,
            redesign, class, package, extract, split, entity, topology, inherit*, composition, mixin, orm
        """,
        weak="""
            api, service, endpoint, table, function, pattern, organi*, folder, directory, file, separate, diagram,
            layout, type, model, graphql, rest, queue, event, object, controller, handler, library, framework, hook,
            gateway, split up, consolidat*, store, registry, router, column, shared, reusable
        """,
    ),
    "O2": Words(
        decisive="""
            vulnerab*, csrf, xss, sql injection, threat model, least privilege, access control, attacker, exploit*,
            cve, penetration test, pentest, security, encrypt*, decrypt*, brute force, privilege escalation, two
            factor, multi factor, mfa, 2fa, oauth*, man in the middle, path traversal, ssrf, rce, phishing, secrets
            manager, leaked secret, leaked key, credential*, key rotation, rotate the key, zero trust, malware,
            ransomware, sanitis*, sanitiz*
        """,
        plain="""
            secur*, insecure, authenticat*, authoriz*, authoris*, authn, authz, auth, permission, password,
            passphrase, secret, jwt, bcrypt, argon2, cipher, tls, ssl, certificate, https, firewall, sandbox,
            injection, attack, threat, malicious, unauthorized, unauthorised, privilege, rbac, acl, pii, gdpr, hipaa,
            compliance, privacy, redact*, mask, tamper*, forge*, spoof*, hijack*, breach, audit log, audit trail,
            signature, hmac, salt, hashed, api key, private key, public key, session cookie, samesite, httponly, cors,
            csp, allowlist, denylist, impersonat*, login, log in, sign in, leak, kms, vault, nonce, sso, saml, refresh
            token, access token, bearer token, untrusted, escalat*
        """,
        weak="""
            token, role, scope, session, cookie, header, expire, expiry, revoke*, restrict, trusted, validate input,
            user input, escape, rate limit, lockout, admin, hash, key, sign, protect, expose, risk, rotate, sensitive,
            personal data, plaintext, plain text
        """,
    ),
    "O3": Words(
        decisive="""
            depend on, depends on, dependency, dependenc*, upstream, downstream, as we discuss, as we said, as i said,
            as mention, as we decide, as we agree, as discuss, we discuss earlier, we talk about, blast radius, call
            chain, call graph, root cause, provenance, lineage, supersed*, transitive*, going back to, back when we,
            trace back, traces back, where it came from, prior decision, earlier decision, import cycle, circular
            import, git blame, git bisect, changelog, as i mention, you mention, we mention, we already decide
        """,
        plain="""
            earlier, previous, previously, discuss, origin*, derive, inherit, caller, consumer, predecessor,
            successor, ancestor, import, history, historical*, replac*, deprecat*, refer, reference, trace, traceab*,
            impact, affect, break, cause, came from, come from, stem from, based on, builds on, relies on, rely on,
            transitive, regression introduced, introduced in, remember when, last time, last week, yesterday, follow
            up, follow-up, following up, version history, blame, bisect, migrat*, chain, propagat*, legacy, mention,
            recall, lockfile, reliant, relied
        """,
        weak="""
            because, since, therefore, change, link, related, relate, connect, version, before, ago, remember,
            context, back then, originally, used by, uses, requires, requir*, needs, pin, upgrade, bump, thread,
            again, still
        """,
    ),
    "O4": Words(
        decisive="""
            our goal, the goal, main goal, north star, mission, roadmap, strategic*, strategy, objective, okr, success
            metric, success criter*, design principle, guiding principle, vision, value proposition, business goal,
            product goal, long term, the purpose, whole point, milestone, out of scope, in scope, non goal, non-goal,
            what we want to achieve, we want to achieve, what matters most, stakeholder, definition of done, trade
            off, trade-off, tradeoff, our priority, top priority, the priority
        """,
        plain="""
            goal, purpose, principle, priorit*, plan, aim, achiev*, accomplish*, intent, intention, target, scope,
            requirement, decide, decision, agree, commit to, deadline, quarter, launch, customer, business, ambition,
            aspir*, focus, philosophy, motivation, mvp, beta, deliverable, initiative, constraint, must never, non
            negotiable, kpi, metric that matters, direction, value, sla, slo, budget
        """,
        weak="""
            want, user, need, must, should, project, product, important, matter, team, choose, chose, option,
            approach, feature, release, ship, proposal, benefit, cost, reason, why, promise, adopt, policy
        """,
    ),
    "O5": Words(
        decisive="""
            deploy*, redeploy*, rollback, roll back, rolled back, kubectl, docker, dockerfile, ci pipeline, runbook,
            cron job, crontab, systemctl, terraform, ansible, helm, command line, shell script, npm run, npm install,
            pip install, git push, git commit, git rebase, git merge, makefile, docker compose, docker-compose,
            release process, on call, on-call, workflow, step by step, restart*, provision*, apt get, apt-get, health
            check, zero downtime, blue green, canary
        """,
        plain="""
            run, rerun, execut*, command, pipeline, script, install*, build, rebuild, step, procedure, operat*,
            implement*, perform, migrate, migration, configur*, setup, set up, cron, scheduled, schedul*, server,
            staging, production, release, publish, commit, merge, rebase, branch, push, pull request, ci, cd, backup,
            restore, monitor*, alert*, logs, logging, metrics, container, image, cluster, kubernetes, k8s, pod,
            instance, environment variable, env, start, stop, kill, process, job, worker, queue, terminal, cli,
            makefile, hotfix, patch, automat*, maintenance, incident, outage, downtime, tail, grep, curl, chmod, ssh,
            sudo, npm, yarn, pip, git, flag, feature flag, rollout, roll out, restart, scale, drain, nginx, systemd,
            upgrade
        """,
        weak="""
            do, then, next, first, finally, apply, create, update, delete, remove, add, open, close, wait, check out,
            download, upload, copy, move, port, host, daemon, folder, directory, task, use, enable, disable, trigger,
            write, edit, fix, tool, output, exit code
        """,
    ),
    "O6": Words(
        decisive="""
            algorithm*, time complexity, space complexity, big o, theorem, lemma, proof, equation, formula, dynamic
            programming, binary search, breadth first, depth first, shortest path, dijkstra, standard deviation,
            linear algebra, matrix multiplication, dot product, cosine similarity, gradient descent, eigen*,
            logarithm*, polynomial, combinatori*, probability distribution, modular arithmetic, topological sort,
            invariant, asymptotic*, amortised, amortized, quadratic, closed form, hash function, bloom filter, bayes*,
            monte carlo, fibonacci, prime number, exponential backoff, moving average, haversine
        """,
        plain="""
            complexity, calculat*, comput*, matrix, vector, probabilit*, statistic*, gradient, derivative, integral,
            recursion, recursive*, sort, traversal, percentile, variance, median, average, ratio, modulo, exponent*,
            linear, logic, optimi*, interpolat*, converg*, coefficient, weighted, normalis*, normaliz*, cosine,
            euclidean, heuristic, greedy, memoi*, iterat*, bitwise, xor, hash, checksum, entropy, permutation, math*,
            arithmetic, numeric*, geometric*, sum, multiply, divide, subtract, square root, exponential, decay, tie
            break, rounding, overflow, off by one, loop, queue size, throughput, percentage, squared, summation, mod
        """,
        weak="""
            function, score, threshold, number, count, rate, maximum, minimum, limit, distance, graph, tree, heap,
            stack, map, index, integer, float, parse, return, variable, condition, regex, parameter, value, estimate,
            factor, approximate*, per second, latency
        """,
    ),
    "O7": Words(
        decisive="""
            unit test, integration test, end to end test, test suite, test case, test coverage, regression test,
            acceptance test, acceptance criter*, validat*, verif*, sanity check, double check, double-check, code
            review, retrospective, post mortem, postmortem, property test, load test, smoke test, benchmark*, lessons
            learned, lesson learned, consisten*, inconsisten*, contradict*, coherent, coherence, line up with, lines
            up with, aligned with, quality gate, pytest, assertion, fuzz*, mutation test
        """,
        plain="""
            test, tester, check, review, assess*, evaluat*, reflect*, measure*, assert*, coverage, regression, audit,
            confirm*, prove, inspect*, compare, comparison, quality, correctness, flaky, mock, fixture, expected, qa,
            criteria, rubric, retro, align, align*, evidence, reproduc*, accuracy, precision, experiment, hypothesis,
            feedback, critique, look back, went well, went wrong, learned, honest*, e2e, trial, scorecard, survey,
            sign off, sign-off, proofread, cross check, cross-check, tdd, spec, snapshot test
        """,
        weak="""
            pass, fail, failing, bug, error, result, make sure, ensure, correct, wrong, works, green, red, think,
            question, issue, problem, right, actually, edge case, looks good, compare to, should be, diff
        """,
    ),
}
