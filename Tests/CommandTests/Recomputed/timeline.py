"""The lanes and the turning points of a run, from its log alone."""

STAGES = {"active": "alive", "inactive": "alive", "background": "background",
          "suspended": "suspended"}
DISK = {"full": "full", "hasSpace": "full", "writesFail": "writesFail", "writesWork": "writesFail",
        "readsFail": "readsFail", "readsWork": "readsFail"}
LOST = {"refused", "reset", "timedOut", "networkLost"}


def sums(spans):
    """The time in each state."""
    times = {}
    for span in spans:
        times[span["state"]] = times.get(span["state"], 0) + span["to"] - span["from"]
    return times


class Lanes:
    def __init__(self, events, last):
        self.last, self.moments = last, []
        self.open, self.times = {}, {("app", 1): {}}
        self.troubles = {}
        for event in events:
            at, app = event["at"], event.get("app", 1)
            subject, fact = next((k, v) for k, v in event.items() if k not in ("at", "app"))
            kind, value = next(iter(fact.items()))
            if subject == "device":
                self.device(kind, value, at, app)
            elif subject == "network" and kind == "path":
                name = value["path"].get("name")
                self.enter(("network", value.get("device", 0)),
                           "connected" if name else "interrupted", at)
            moment = turning_point(subject, kind, value)
            if moment:
                self.moments.append((at, moment))
        for lane in list(self.open):
            self.enter(lane, None, last)
        self.lanes = {kind: [times for (one, _), times in self.times.items() if one == kind]
                      for kind in ("app", "disk", "network")}

    def enter(self, lane, state, at):
        times = self.times.setdefault(lane, {})
        if lane in self.open:
            began, before = self.open.pop(lane)
            if at > began:
                times[before] = times.get(before, 0) + at - began
        if state:
            self.open[lane] = (at, state)

    def device(self, kind, value, at, app):
        if kind == "appLaunched":
            self.enter(("app", app), "alive", at)
        elif kind == "appEntered":
            self.enter(("app", app), STAGES[value["stage"]], at)
        elif kind in ("appKilled", "appCrashed"):
            self.enter(("app", app), None, at)
        elif kind == "disk":
            lane = ("disk", value.get("device", 0))
            faults = self.troubles.setdefault(lane, set())
            trouble = DISK[value["step"]]
            faults.discard(trouble)
            if trouble == value["step"]:
                faults.add(trouble)
            self.enter(lane, "faulty" if faults else None, at)


def turning_point(subject, kind, value):
    """The kind of moment that a fact is, or nothing."""
    if subject == "device":
        if kind == "appLaunched" and value["launch"] > 1:
            return "launched"
        return {"appKilled": "killed", "appCrashed": "failed"}.get(kind)
    if subject == "engine":
        return {"resumes": "resumed", "startsOver": "startedOver", "fails": "failed"}.get(kind)
    if subject in ("store", "daemon"):
        inner = value.get("fact", {}) if subject == "daemon" else {kind: value}
        return "failed" if "failed" in inner or "setAside" in inner else None
    if subject == "server":
        if kind == "refused":
            asked = value["method"] == "HEAD" and value["status"] == 404
            return None if asked else "refused"
        return {"published": "published", "fault": "fault"}.get(kind)
    if (subject, kind) in (("queue", "refused"), ("file", "kept")):
        return "refused"
    if (subject, kind) == ("connection", "ended") and value["why"] in LOST:
        return "lost"
    return None
