"""Recomputes what packets tell of a run from its log and its captures, and compares it with
run.json: the traffic and the energy of each interface, and what TCP sent again.

It shares no code with the program: python3 packets.py RUN-FOLDER. The run must have been played
with --packets both.
"""
import json
import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1])
events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
report = json.loads((folder / "run.json").read_text())
wrong = []


def packets(name):
    """Each packet's time, addresses, size, ports, sequence number, flags and payload."""
    data = (folder / name).read_bytes()
    place = 24
    while place < len(data):
        seconds, nanoseconds, length, size = struct.unpack_from("<4I", data, place)
        ip = data[place + 16:place + 16 + length]
        place += 16 + length
        tcp = ip[4 * (ip[0] & 15):]
        source, target, sequence, acknowledgement = struct.unpack_from(">HHII", tcp)
        yield {
            "at": seconds * 1_000_000_000 + nanoseconds, "size": size,
            "from": ".".join(map(str, ip[12:16])), "to": ".".join(map(str, ip[16:20])),
            "ports": (source, target), "sequence": sequence, "isSYN": tcp[13] & 2,
            "payload": size - 4 * (ip[0] & 15) - 4 * (tcp[12] >> 4)}


def tally(these):
    return {"packets": len(these), "bytes": sum(one["size"] for one in these)}


def sent_again(these):
    """The payload below the highest position of its stream."""
    ends, again = {}, {"packets": 0, "bytes": 0}
    for one in these:
        stream = (one["from"], one["to"], one["ports"])
        if one["isSYN"]:
            ends.pop(stream, None)
        if not one["payload"]:
            continue
        begin, end = one["sequence"], one["sequence"] + one["payload"]
        if stream in ends and begin < ends[stream]:
            again["packets"] += 1
            again["bytes"] += min(ends[stream] - begin, one["payload"])
        ends[stream] = max(ends.get(stream, 0), end)
    return again


def radio(terms, times, switches, last):
    """The times of a radio's states: active after a packet, then its tail, then idle."""
    active = tail = idle = promotions = 0
    mark, latest, is_on = 0, None, True

    def account(now):
        nonlocal active, tail, idle, mark, latest
        begin, mark = mark, max(mark, now)
        if not is_on or now <= begin:
            return
        if latest is None:
            idle += now - begin
            return
        pause, end = latest + terms["pause"], latest + terms["tail"]
        active += max(0, min(now, pause) - begin)
        tail += max(0, min(now, end) - max(begin, pause))
        idle += max(0, now - max(begin, end))
        if now > end:
            latest = None

    # What is sent at the moment of a switch follows from it.
    everything = [(at, None) for at in times] + switches
    for at, switch in sorted(everything, key=lambda one: (one[0], one[1] is None)):
        account(at)
        if switch is None:
            promotions += latest is None
            latest = at
        else:
            is_on, latest = switch, None
    account(last)
    return {"active": active, "tail": tail, "idle": idle, "promotions": promotions}


def compare(what, mine, theirs):
    if mine != theirs:
        wrong.append(f"{what}: the packets tell {mine}, the report tells {theirs}")


client, server = list(packets("capture.pcap")), list(packets("capture-server.pcap"))
found = [e["network"]["interface"] for e in events if "interface" in e.get("network", {})]
rows = {row["interface"]: row for row in report["figures"].get("interfaces", [])}
links = {row["link"]: row for row in report["figures"]["links"]}
for one in found:
    terms = one["terms"]
    up = [p for p in client if p["from"] == terms["address"]]
    down = [p for p in client if p["to"] == terms["address"]]
    row, name = rows[one["interface"]], terms["name"]
    compare(f"{name}: sent", tally(up), row["sent"])
    compare(f"{name}: received", tally(down), row["received"])
    down_sent = [p for p in server if p["to"] == terms["address"]]
    for link, these in ((terms["uplink"], up), (terms["downlink"], down_sent)):
        compare(f"link {link}: retransmitted", sent_again(these), links[link]["retransmitted"])
    if "radio" not in terms:
        continue
    switches = [(e["at"], next(iter(e["link"])) == "up") for e in events
                if e.get("link", {}).get("down", e.get("link", {}).get("up", {})).get("link")
                == terms["uplink"]]
    mine = radio(terms["radio"], [p["at"] for p in up + down], switches, report["duration"])
    t, theirs = terms["radio"], row["radio"]
    compare(f"{name}: radio", mine, {key: theirs[key] for key in mine})
    energy = (mine["promotions"] * t["promotion"] * t["promotionPower"]
              + mine["active"] * t["activePower"] + mine["tail"] * t["tailPower"]
              + mine["idle"] * t["idlePower"]) / 1e9 + 8e-6 * (
        tally(up)["bytes"] * t["millijoulesPerMegabitUp"]
        + tally(down)["bytes"] * t["millijoulesPerMegabitDown"])
    if abs(energy - theirs["millijoules"]) > 0.51:
        wrong.append(f"{name}: {energy} mJ, the report tells {theirs['millijoules']}")

print("\n".join(wrong) or f"{len(found)} interfaces and {len(client)} packets agree")
sys.exit(1 if wrong or not found else 0)
