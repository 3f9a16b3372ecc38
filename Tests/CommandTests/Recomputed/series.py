"""Reads the table of a run's series, and compares it with run.json.

It shares no code with the program: python3 series.py RUN.json TABLE.csv prints what differs.
"""
import csv
import decimal
import json
import sys

COLUMNS = ["time_s", "step_s", "kind", "subject", "series", "unit", "value"]


def seconds(nanoseconds):
    return decimal.Decimal(nanoseconds) / 10**9


def steps(rows, kind, subject, name, unit, begin, step, values):
    for order, value in enumerate(values or []):
        if value is not None:
            if unit == "seconds":
                value = seconds(value)
            rows.append((seconds(begin + order * step), seconds(step), kind, subject, name, unit,
                decimal.Decimal(value)))


def flow_name(flow, flows):
    direction = "up" if flow["sender"] == "client" else "down"
    if "label" in flow:
        return f"{flow['label']} {direction}"
    one = flow.get("connection")
    if one is None:
        return f"flow {flow['flow']} {direction}"
    if one["launch"] == 0:
        return f"connection {one['number']} of the daemon {direction}"
    return f"connection {one['launch']}.{one['number']} {direction}"


def expected(series):
    rows = []
    for link in series["throughput"]:
        steps(rows, "link", link["name"], link["source"], "bytes", 0, link["bucket"], link["bytes"])
    for link in series.get("links", []):
        for name, unit, key in [("dropped", "packets", "dropped"),
                ("queueing delay", "seconds", "queueingDelay"), ("on the link", "bytes", "onLink")]:
            steps(rows, "link", link["name"], name, unit, 0, link["step"], link[key])
    for flow in series.get("flows", []):
        for name, unit, key in [("in flight", "bytes", "inFlight"), ("window", "bytes", "window"),
                ("threshold", "bytes", "threshold"),
                ("pacing rate", "bits/s", "pacingRate"),
                ("mean round trip", "seconds", "roundTrip"),
                ("longest round trip", "seconds", "longestRoundTrip"), ("sent", "bytes", "sent"),
                ("acknowledged", "bytes", "acknowledged"),
                ("retransmitted from", "bytes", "retransmitted")]:
            steps(rows, "flow", flow_name(flow, series["flows"]), name, unit, flow["from"],
                flow["step"], flow.get(key))
    progress = [(one["session"], one["points"]) for one in series["progress"]]
    if "totalProgress" in series:
        progress.append(("all sessions", series["totalProgress"]))
    for name, points in progress:
        subject = f"session {name}" if isinstance(name, int) else name
        for point in points:
            rows.append((seconds(point["at"]), None, "session", subject, "done", "bytes",
                decimal.Decimal(point["done"])))
    return rows


with open(sys.argv[1]) as file:
    wanted = expected(json.load(file)["series"])
with open(sys.argv[2], newline="") as file:
    text = file.read()
if text.count("\n") != text.count("\r\n"):
    sys.exit("a line does not end in CRLF")
table = csv.reader(text.splitlines(keepends=True), strict=True)
if next(table) != COLUMNS:
    sys.exit("other columns")
rows = []
for row in table:
    if len(row) != len(COLUMNS):
        sys.exit(f"a row of {len(row)} fields: {row}")
    time, step, kind, subject, name, unit, value = row
    rows.append((decimal.Decimal(time), decimal.Decimal(step) if step else None, kind, subject,
        name, unit, decimal.Decimal(value)))
for place, (row, want) in enumerate(zip(rows, wanted)):
    if row != want:
        sys.exit(f"row {place} is {row}, not {want}")
if len(rows) != len(wanted):
    sys.exit(f"{len(rows)} rows, not {len(wanted)}")
print(f"{len(rows)} values are the same")
