"""Recomputes the figures of a run from its log alone, and compares them with run.json.

It shares no code with the program: python3 figures.py RUN-FOLDER prints what differs. What only
packets tell is in packets.py.
"""
import json
import pathlib
import sys

import timeline

folder = pathlib.Path(sys.argv[1])
events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
report = json.loads((folder / "run.json").read_text())
told = report["figures"]
END = {"cancelled", "completed", "failed"}

totals = dict.fromkeys(
    ["launches", "kills", "requests", "refusals", "publications", "durableChanges"], 0)
connections, items, owners, lengths, bodies, covered = {}, {}, {}, {}, {}, {}
again, links, counts, ending = {}, {}, {}, None
clients, answers, faults = {}, {}, {}


def key(name):
    return json.dumps(name, sort_keys=True)


def item(name, at):
    return items.setdefault(key(name), {
        "name": name, "acceptedAt": at, "first": None, "ended": None, "outcome": None,
        "attempts": 0, "resumes": 0, "over": 0, "sizes": {}, "states": {}, "open": None, "app": 1,
        "skipped": None, "paths": None,
        "task": {"isDownload": False} if str(name).startswith("task") else None})


def state(one, name, at):
    """Ends the item's state, and begins another."""
    if one["open"]:
        began, last = one["open"]
        one["states"][last] = one["states"].get(last, 0) + at - began
    one["open"] = (at, name) if name else None


def end(one, outcome, at):
    one["outcome"], one["ended"] = outcome, at


def cover(transfer, begin, stop):
    """Adds body bytes that have left; returns how many of them had left before."""
    ranges = covered.setdefault(key(transfer), [])
    repeated = sum(max(0, min(stop, b) - max(begin, a)) for a, b in ranges)
    merged = sorted(ranges + [(begin, stop)])
    result = [merged[0]]
    for a, b in merged[1:]:
        if a <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], b))
        else:
            result.append((a, b))
    covered[key(transfer)] = result
    return repeated


def settle(connection, transmitted):
    row = bodies.pop(key(connection), [])
    for place, body in enumerate(row):
        stop = min(row[place + 1]["bodyAt"], transmitted) if place + 1 < len(row) else transmitted
        sent = stop - body["bodyAt"]
        if sent <= 0:
            continue
        last = body["from"] + sent
        if body["end"] is not None:
            last = min(last, body["end"])
        if last > body["from"]:
            count = cover(body["transfer"], body["from"], last)
            name = key(body["transfer"])
            again[name] = again.get(name, 0) + count


def engine(fact, at, app):
    kind, value = next(iter(fact.items()))
    if kind == "accepts":
        one = item(value["item"], at)
        if "files" not in one:
            one["files"], one["app"] = list(value["transfers"]), app
            if one["task"]:
                one["task"]["isDownload"] = bool(one["files"] and one["files"][0].get("isDownload"))
            for file in value["transfers"]:
                owners[key(file["transfer"])] = one
            state(one, "waiting", at)
    elif kind in ("moves", "found"):
        one = item(value["item"], at)
        stage = value["to"] if kind == "moves" else value["stage"]
        if stage in END:
            state(one, None, at)
        elif stage == "running":
            if one["first"] is None:
                one["first"] = at
            if one["task"] and kind == "moves":
                one["task"].setdefault("resumedAt", at)
            state(one, "running", at)
        else:
            state(one, "retrying" if stage == "retrying" else "waiting", at)
    elif kind == "attempt":
        one = item(value["item"], at)
        is_entry = str(value["item"]).startswith("transfer")
        count = one["attempts"] + 1 if is_entry else value["number"]
        one["attempts"] = max(one["attempts"], count)
    elif kind == "inspected":
        one = owners.get(key(value["transfer"]))
        file = next(f for f in one["files"] if f["transfer"] == value["transfer"])
        if not file.get("isDownload"):
            one["sizes"][key(value["transfer"])] = value["size"]
    elif kind in ("resumes", "startsOver"):
        owners[key(value["transfer"])]["resumes" if kind == "resumes" else "over"] += 1
    elif kind == "keepsTarget":
        one = owners[key(value["transfer"])]
        one["sizes"][key(value["transfer"])] = 0
        one["skipped"] = (one["skipped"] or 0) + 1
    elif kind == "delays":
        item(value["item"], at)["task"]["delayedFor"] = value["by"]
    elif kind == "isPersistent":
        one = item(value["item"], at)
        one["paths"] = one["paths"] or {"added": 0, "arrived": 0, "givenUp": 0}
    elif kind in ("completes", "givesUp"):
        one = owners.get(key(value["transfer"]))
        if one and one["paths"]:
            one["paths"]["arrived" if kind == "completes" else "givenUp"] += 1
    elif kind == "sends":
        row = bodies.setdefault(key(value["on"]), [])
        body = dict(value, end=lengths.get(value["resource"]))
        if row and row[-1]["transfer"] == body["transfer"] and body["from"] > row[-1]["from"]:
            known = row[-1]["end"]
            row[-1]["end"] = body["from"] if known is None else min(known, body["from"])
        row.append(body)


def connection(fact, at):
    kind, value = next(iter(fact.items()))
    name = key(value["connection"])
    row = connections.get(name)
    if kind == "opening":
        connections[name] = {
            "connection": value["connection"], "peer": value["to"], "openedAt": at, "requests": 0}
    elif kind == "established":
        row["establishedAt"] = at
    elif kind == "securing":
        row["reachedAt"], row["security"] = at, value["with"]
    elif kind == "bound":
        row["interface"] = value["interface"]
    elif kind == "request":
        totals["requests"] += 1
        row["requests"] += 1
    elif kind == "response":
        row["lastStatus"] = value["status"]
    elif kind == "ended":
        row.update(endedAt=at, why=value["why"], transmitted=value["transmitted"])
        settle(value["connection"], value["transmitted"])


def serve(kind, value, at):
    """Counts what the clients of a recorded server asked for, and what they got."""
    if kind not in ("answered", "fault"):
        return
    client = clients.setdefault(value.get("client"), {
        "requests": 0, "failures": 0, "faults": 0, "firstAt": at})
    client["lastAt"] = at
    if kind == "fault":
        client["faults"] += 1
        faults[value["name"]] = faults.get(value["name"], 0) + 1
        return
    totals["requests"] += 1
    client["requests"] += 1
    client["failures"] += value["status"] >= 400
    answer = (value["method"], value["status"])
    answers[answer] = answers.get(answer, 0) + 1


def callback(subject, value, at):
    """What the app is told of an item."""
    name = value.get("session") or value.get("operation") or value.get("task") or value["transfer"]
    one = item(name, at)
    kind, told_values = next(iter((value.get("call") or value["callback"]).items()))
    values = told_values if isinstance(told_values, dict) else {}
    if kind == "didDeactivate":
        end(one, next(iter(values["outcome"])), at)
        state(one, None, at)
    elif kind == "completed":
        end(one, "completed", at)
    elif kind == "failed":
        end(one, "failed", at)
    elif kind == "ended":
        end(one, "cancelled" if values["code"] == 810 else "failed", at)
    elif kind == "didComplete":
        result = next(iter(values.values())) if values else told_values
        end(one, "completed" if "answered" in result else "failed", at)
        if "answered" in result:
            one["task"]["status"] = result["answered"]["status"]
    total = values.get("total") if subject == "entries" and kind == "progress" else (
        values.get("expected") if kind == "didWriteData" else None)
    if total is None and kind == "progress" and subject == "queue":
        file = [f for f in one.get("files", []) if any(
            p == values["name"] or p.endswith("/" + values["name"])
            for p in (f["source"], f["destination"]))]
        if file and file[-1].get("isDownload"):
            one["sizes"][key(file[-1]["transfer"])] = values["total"]
    elif total is not None and one.get("files"):
        one["sizes"][key(one["files"][0]["transfer"])] = total


last = 0
for event in events:
    at, app = event["at"], event.get("app", 1)
    last = max(last, at)
    subject, fact = next((k, v) for k, v in event.items() if k not in ("at", "app"))
    if subject == "engine":
        engine(fact, at, app)
    elif subject == "connection":
        connection(fact, at)
    elif subject == "device":
        if "appLaunched" in fact:
            totals["launches"] += 1
        if "appKilled" in fact:
            totals["kills"] += 1
        if "appKilled" in fact or "appCrashed" in fact:
            for one in items.values():
                if one["open"] and one["app"] == app and not str(one["name"]).startswith("task"):
                    state(one, "interrupted", at)
    elif subject == "server":
        kind, value = next(iter(fact.items()))
        totals["publications"] += kind == "published"
        totals["refusals"] += kind == "refused"
        serve(kind, value, at)
        if kind == "created":
            lengths[value["resource"]] = value.get("length")
    elif subject == "link" and "planned" in fact:
        links[fact["planned"]["link"]] = fact["planned"]["terms"]
    elif subject == "link" and "counted" in fact:
        counts[fact["counted"]["link"]] = fact["counted"]["count"]
    elif subject == "run" and "ended" in fact:
        ending = fact["ended"]["ending"]
    elif subject in ("store", "daemon"):
        inner = fact.get("store", {}) if subject == "daemon" else fact
        totals["durableChanges"] += "committed" in inner.get("fact", inner)
    elif subject == "file" and ("downloaded" in fact or "moved" in fact):
        kind, value = next(iter(fact.items()))
        size = sum(part["length"] for part in value["content"])
        one = owners.get(key(value["transfer"]))
        if one:
            one["sizes"][key(value["transfer"])] = size
    elif subject == "queue" and "pathAdded" in fact:
        value = fact["pathAdded"]
        one = item(value["session"], at)
        one.setdefault("files", []).append(value["path"])
        if one["paths"]:
            one["paths"]["added"] += 1
        owners[key(value["path"]["transfer"])] = one
    elif subject in ("queue", "operations", "entries", "background") and "callback" in fact:
        callback(subject, fact["callback"], at)

for one in items.values():
    state(one, None, last)

wrong = []


def compare(what, mine, theirs):
    if mine != theirs:
        wrong.append(f"{what}: the log has {mine}, the report has {theirs}")


def compare_lanes():
    """The times of the apps, of the disks' faults, and of the moments."""
    mine = timeline.Lanes(events, last)
    theirs = report["timeline"]
    for kind, lanes in mine.lanes.items():
        drawn = [lane for lane in theirs["lanes"] if lane["kind"] == kind]
        sums = [timeline.sums(lane["spans"]) for lane in drawn]
        compare(f"lanes of kind {kind}", [one for one in lanes if one], sums)
    moments = [one for one in theirs["moments"] if one["kind"] != "breach"]
    if not theirs["momentsLeftOut"] and not any("count" in one for one in moments):
        compare("moments", mine.moments, [(one["at"], one["kind"]) for one in moments])
    compare("number of moments", len(mine.moments), theirs["momentsLeftOut"] + sum(
        one.get("count", 1) for one in moments))


compare("duration", last, report["duration"])
compare("ending", ending, report.get("ending"))
for mine in told["links"]:
    compare(f"terms of link {mine['link']}", links.get(mine["link"]), mine.get("terms"))
    compare(f"count of link {mine['link']}", counts.get(mine["link"]), mine["count"])
compare_lanes()
if "service" in told:
    theirs = told["service"]
    clients.pop(None, None)
    compare("clients", [dict(row, address=name) for name, row in clients.items()],
            theirs["clients"])
    compare("answers", [
        {"method": method, "status": status, "count": count}
        for (method, status), count in sorted(answers.items())], theirs["answers"])
    compare("faults", faults, {one["name"]: one["count"] for one in theirs["faults"]})
for name, count in totals.items():
    compare(name, count, told[name])
for mine, theirs in zip(connections.values(), told["connections"]):
    compare(f"connection {mine['connection']}", mine, theirs)
compare("connections", len(connections), len(told["connections"]) + told["connectionsLeftOut"])
compare("items", len(items), len(told["sessions"]))
for theirs in told["sessions"]:
    one, name = items[key(theirs["session"])], theirs["session"]
    payload = sum(one["sizes"].values())
    outcome = theirs.get("outcome")
    compare(f"{name}: outcome", one["outcome"],
            outcome if isinstance(outcome, (str, type(None))) else next(iter(outcome)))
    for mine, key_of_theirs in [
            ("acceptedAt", "acceptedAt"), ("first", "firstRunningAt"), ("ended", "endedAt"),
            ("attempts", "attempts"), ("resumes", "resumes"), ("over", "startsOver")]:
        compare(f"{name}: {key_of_theirs}", one[mine], theirs.get(key_of_theirs))
    waited = None if one["first"] is None else one["first"] - one["acceptedAt"]
    compare(f"{name}: waited", waited, theirs.get("waited"))
    compare(f"{name}: payload", payload, theirs["payload"])
    compare(f"{name}: files", one.get("files", []), theirs["files"])
    for part in ("task", "paths"):
        compare(f"{name}: {part}", one[part], theirs.get(part))
    compare(f"{name}: files skipped", one["skipped"], theirs.get("filesSkipped"))
    download = any(file.get("isDownload") for file in one.get("files", [])[:1])
    rates = [terms["rate"] for terms in links.values()
             if terms["name"].endswith("downlink" if download else "uplink")]
    floor = -(-payload * 8_000_000_000 // max(rates)) if payload and rates else None
    compare(f"{name}: floor", floor, theirs.get("floor"))
    compare(f"{name}: sentAgain", sum(
        again.get(key(file["transfer"]), 0) for file in theirs["files"]), theirs["sentAgain"])
    times = {row["state"]: row["time"] for row in theirs["times"]}
    compare(f"{name}: times", {k: v for k, v in one["states"].items() if v}, times)
    if one["outcome"] == "completed" and one["first"] is not None:
        took = one["ended"] - one["first"]
        compare(f"{name}: completion", took, theirs.get("completion"))
        if (theirs.get("task") or {}).get("status", 0) < 400 and payload and took > 0:
            compare(f"{name}: goodput", payload * 8_000_000_000 // took, theirs.get("goodput"))

print("\n".join(wrong) or f"{len(items)} items and {len(connections)} connections are the same")
sys.exit(1 if wrong else 0)
