"""Reads metrics by the parser of prometheus_client, and compares them with a JSON file.

python3 metrics.py summary.json METRICS prints what differs.
"""
import json
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families

with open(sys.argv[1]) as file:
    suite = json.load(file)
with open(sys.argv[2]) as file:
    text = file.read()
families = {family.name: family for family in text_string_to_metric_families(text)}
for family in families.values():
    assert family.documentation, family.name
    assert not family.unit or family.name.endswith("_" + family.unit), family.name


def samples(name, key):
    found = {}
    for sample in families[f"transferlab_run_{name}"].samples:
        labels = sample.labels
        place = (labels["file"], labels.get("variant"), int(labels["seed"])) + key(labels)
        assert place not in found, place
        assert labels["folder"] == labels["file"].rpartition("/")[0] or labels["folder"] == "."
        found[place] = sample.value
    return found


def compare(name, value):
    told = samples(name, lambda labels: ())
    wanted = {(run["path"], run.get("variant"), run["seed"]): value(run) for run in suite["runs"]}
    assert told == {key: value for key, value in wanted.items() if value is not None}, name


compare("green", lambda run: 1 if run["judgement"]["isGreen"] else 0)
compare("duration_seconds", lambda run: run["duration"] / 1e9)
compare("completion_seconds", lambda run: run.get("completion", 0) / 1e9 or None)
compare("goodput_bits_per_second", lambda run: run.get("goodput"))
compare("payload_bytes", lambda run: run["payload"])
compare("sent_again_bytes", lambda run: run["sentAgain"])
compare("dropped_packets", lambda run: run["dropped"])
compare("retransmitted_packets", lambda run: run["retransmitted"])
compare("items", lambda run: run["sessions"])
compare("completed_items", lambda run: run["completed"])
if "transferlab_run_energy_joules" in families:
    compare("energy_joules", lambda run: None if "millijoules" not in run["performance"]
        else run["performance"]["millijoules"] / 1000)
    compare("radio_on_seconds", lambda run: None if "radioOn" not in run["performance"]
        else run["performance"]["radioOn"] / 1e9)
told = samples("interface_bytes", lambda labels: (labels["interface"],))
assert told == {(run["path"], run.get("variant"), run["seed"], one["name"]): one["bytes"]
    for run in suite["runs"] for one in run["performance"]["interfaces"]}
status = {sample.labels["status"]: sample.value for sample in families["transferlab_runs"].samples}
assert status == {"green": suite["green"], "red": len(suite["runs"]) - suite["green"],
    "not_played": len(suite["notPlayed"]), "trapped": len(suite.get("trapped", [])),
    "left_out": len(suite.get("leftOut", []))}, status
program = families["transferlab"].samples[0].labels
assert program["version"] == suite["program"]["number"]
print(f"{len(families)} metrics are good")
