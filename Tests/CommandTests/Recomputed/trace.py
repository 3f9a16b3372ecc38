"""Judges trace events by the published “Trace Event Format”, and compares them with run.json.

It shares no code with the program: python3 trace.py RUN.json TRACE.json prints what differs.
"""
import json
import sys

KEYS = {
    "X": {"name", "cat", "ph", "ts", "dur", "pid", "tid", "args"},
    "i": {"name", "cat", "ph", "ts", "pid", "tid", "s", "args"},
    "C": {"name", "cat", "ph", "ts", "pid", "args"},
    "M": {"name", "ph", "pid", "args"},
}
METADATA = {"process_name": "name", "process_sort_index": "sort_index", "thread_name": "name",
    "thread_sort_index": "sort_index"}

with open(sys.argv[1]) as file:
    run = json.load(file)
with open(sys.argv[2]) as file:
    trace = json.load(file)
assert set(trace) == {"traceEvents", "displayTimeUnit", "otherData"}, set(trace)
assert trace["displayTimeUnit"] in ("ms", "ns")
events = trace["traceEvents"]
assert trace["otherData"]["seed"] == str(run["beginning"]["seed"])
assert trace["otherData"]["digest"] == run["digest"]
assert trace["otherData"]["scenario"] == run["beginning"]["scenario"]

named, rows = {}, {}
processes = {event["pid"] for event in events if event["name"] == "process_name"}
for event in events:
    phase = event["ph"]
    assert phase in KEYS, f"phase {phase}"
    missing = KEYS[phase] - set(event)
    assert not missing and set(event) <= KEYS[phase] | {"tid"}, event
    assert isinstance(event["name"], str) and event["name"], event
    assert event["pid"] in processes and event["pid"] > 0, event
    if phase == "M":
        key = METADATA[event["name"]]
        assert set(event["args"]) == {key}, event
        assert event["name"].startswith("process") == ("tid" not in event), event
        if event["name"] == "thread_name":
            named[event["pid"], event["tid"]] = event["args"]["name"]
        continue
    assert isinstance(event["ts"], (int, float)) and event["ts"] >= 0, event
    if phase == "X":
        assert event["dur"] >= 0, event
        rows.setdefault((event["pid"], event["tid"]), []).append(event)
    if phase == "i":
        assert event["s"] in ("g", "p", "t"), event
    if phase == "C":
        assert len(event["args"]) == 1, event
        assert all(isinstance(value, (int, float)) for value in event["args"].values()), event
    assert phase == "C" or (event["pid"], event["tid"]) in named, f"a row without a name: {event}"

# Spans of a row may lie in each other, and not overlap.
nanoseconds = lambda microseconds: round(microseconds * 1000)
for row in rows.values():
    ends = []
    for event in sorted(row, key=lambda event: (event["ts"], -event["dur"])):
        begin, end = nanoseconds(event["ts"]), nanoseconds(event["ts"] + event["dur"])
        while ends and ends[-1] <= begin:
            ends.pop()
        assert not ends or end <= ends[-1], f"a span overlaps another: {event}"
        ends.append(end)

told = sorted((named[key], nanoseconds(e["ts"]), nanoseconds(e["dur"]), e["cat"])
    for key, row in rows.items() for e in row if e["cat"] != "run")
timeline = run["timeline"]
wanted = sorted((lane["title"], span["from"], span["to"] - span["from"], span["state"])
    for lane in timeline["lanes"] for span in lane["spans"])
assert told == wanted, f"other spans: {set(told) ^ set(wanted)}"
moments = [(nanoseconds(e["ts"]), e["cat"], e["args"]["number"]) for e in events if e["ph"] == "i"]
assert moments == [(moment["at"], moment["kind"], order + 1)
    for order, moment in enumerate(timeline["moments"])], moments

# Each counter, read as a level that holds, gives the series again.
levels = {}
for event in events:
    if event["ph"] == "C":
        levels.setdefault(event["name"], []).append(
            (nanoseconds(event["ts"]), *event["args"].items()))
for link in run["series"]["throughput"]:
    points = levels[f"{link['name']}: {link['source']}"]
    value, rest, found = None, list(points), []
    for order in range(len(link["bytes"])):
        while rest and rest[0][0] <= order * link["bucket"]:
            value = rest.pop(0)[1][1]
        found.append(value)
    assert found == link["bytes"], link["name"]
for one in run["series"]["progress"]:
    name = one["session"]
    subject = f"session {name}" if isinstance(name, int) else name
    assert levels[f"{subject}: done"][-1][1][1] == one["points"][-1]["done"], subject
print(f"{len(events)} events are good")
