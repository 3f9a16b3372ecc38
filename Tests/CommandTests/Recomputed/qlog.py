"""Judges a qlog file by the drafts of version 0.3, and compares it with both captures of its run.

It shares no code with the program: python3 qlog.py RUN.qlog CLIENT.pcap SERVER.pcap prints what
differs. Main schema: draft-ietf-quic-qlog-main-schema; events: draft-ietf-quic-qlog-quic-events.
"""
import json
import struct
import sys

import jsonschema_rs


def thing(required, **properties):
    return {"type": "object", "required": required.split(), "properties": properties,
        "additionalProperties": False}


def several(item, **rest):
    return {"type": "array", "items": item, **rest}


text, number = {"type": "string"}, {"type": "number", "minimum": 0}
uint64 = {"type": "integer", "minimum": 0, "maximum": 2**64 - 1}
uint32 = {"type": "integer", "minimum": 0, "maximum": 2**32 - 1}
uint8 = {"type": "integer", "minimum": 0, "maximum": 255}
# sequence_number and acknowledgement_number are TCP's, and no words of the drafts.
header = thing("packet_type packet_number",
    packet_type={"enum": ["initial", "1RTT"]}, packet_number=uint64, flags=uint8,
    sequence_number=uint32, acknowledgement_number=uint32)
stream = thing("frame_type stream_id offset length", frame_type={"const": "stream"},
    stream_id=uint64, offset=uint64, length=uint64, fin={"type": "boolean"})
ack = thing("frame_type", frame_type={"const": "ack"},
    acked_ranges=several(several(uint64, minItems=2, maxItems=2), minItems=1))
packet = thing("header frames raw", header=header, frames=several({"oneOf": [stream, ack]}),
    raw=thing("length payload_length", length=uint64, payload_length=uint64))
metrics = {**thing("", min_rtt=number, smoothed_rtt=number, latest_rtt=number,
    congestion_window=uint64, bytes_in_flight=uint64, ssthresh=uint64, pacing_rate=uint64),
    "minProperties": 1}
DATA = {"transport:packet_sent": packet, "transport:packet_received": packet,
    "recovery:packet_lost": thing("header", header=header), "recovery:metrics_updated": metrics}
event = {"oneOf": [thing("time name data", time=number, name={"const": name}, data=data)
    for name, data in DATA.items()]}
vantage = thing("type", name=text, type={"enum": ["client", "server", "network", "unknown"]})
common = thing("", group_id=text, protocol_type=several(text, minItems=1),
    time_format={"enum": ["absolute", "delta", "relative"]})
trace = thing("events vantage_point", title=text, description=text, common_fields=common,
    vantage_point=vantage, events=several(event, minItems=1))
whole = thing("qlog_format qlog_version traces", qlog_format={"const": "JSON"},
    qlog_version={"const": "0.3"}, title=text, description=text, traces=several(trace))


class Packet:
    """A packet of a capture."""

    def __init__(self, at, data, length):
        ip = 4 * (data[0] & 15)
        ports = struct.unpack(">HH", data[ip:ip + 4])
        self.at, self.length, self.is_up = at, length, ports[1] in (80, 443)
        self.port = ports[0] if self.is_up else ports[1]
        self.sequence, self.acknowledgement = struct.unpack(">II", data[ip + 4:ip + 12])
        self.flags = data[ip + 13]
        self.payload = length - ip - 4 * (data[ip + 12] >> 4)

    @property
    def numbers(self):
        return self.payload + (self.flags >> 1 & 1) + (self.flags & 1)


def packets(path):
    with open(path, "rb") as file:
        data = file.read()
    place = 24
    while place < len(data):
        seconds, nanoseconds, kept, length = struct.unpack("<IIII", data[place:place + 16])
        yield Packet(seconds * 10**9 + nanoseconds, data[place + 16:place + 16 + kept], length)
        place += 16 + kept


def flows(path):
    found = {}
    for one in packets(path):
        found.setdefault(one.port, []).append(one)
    return found


def nanoseconds(milliseconds):
    return round(milliseconds * 10**6)


def compare(events, captured, is_client, place):
    """Compares each packet of a trace with the capture at the same end."""
    told = [e for e in events if e["name"].startswith("transport:")]
    assert len(told) == len(captured), f"{place}: {len(told)} packets, not {len(captured)}"
    for one, frame in zip(told, captured):
        head, raw = one["data"]["header"], one["data"]["raw"]
        assert one["name"].endswith("_sent") == (frame.is_up == is_client), (place, one)
        assert nanoseconds(one["time"]) == frame.at, (place, one, frame.at)
        assert (head["sequence_number"], head["flags"]) == (frame.sequence, frame.flags), one
        assert head.get("acknowledgement_number", 0) == frame.acknowledgement, one
        assert (raw["length"], raw["payload_length"]) == (frame.length, frame.payload), one
        assert (head["packet_type"] == "initial") == bool(frame.flags & 2), one


def recompute(events, captured, is_client, place):
    """Recomputes what the end knows as a sender from the capture; returns bytes sent again."""
    own = [one for one in captured if one.is_up == is_client]
    base = own[0].sequence
    finished = min([one.at for one in own if one.flags & 1], default=float("inf"))
    position = lambda sequence: (sequence - base) % 2**32
    again = lost = sent = acknowledged = 0
    flying, covered, levels, samples = [], [], {}, {}
    timed = None
    count = 0
    for frame in captured:
        if frame.is_up == is_client:
            begin = position(frame.sequence)
            end = begin + frame.numbers
            if frame.numbers:
                if begin < sent:
                    again += min(sent, end) - begin
                    hit = [one for one in flying if one[1] < end and begin < one[2]]
                    lost += len(hit)
                    flying = [one for one in flying if one not in hit]
                    timed = timed if timed and begin >= timed[0] else None
                elif timed is None:
                    timed = (end, frame.at)
                sent = max(sent, end)
                flying.append((count, begin, end))
            count += 1
        elif frame.flags & 16 and acknowledged < position(frame.acknowledgement) <= sent:
            acknowledged = position(frame.acknowledgement)
            covered.append(sorted(one[0] for one in flying if one[2] <= acknowledged))
            flying = [one for one in flying if one[2] > acknowledged]
            if timed and timed[0] <= acknowledged:
                samples[frame.at] = frame.at - timed[1]
                timed = None
        else:
            covered.append([])
        levels[frame.at] = (sent, acknowledged, finished <= frame.at)
    assert lost == sum(e["name"] == "recovery:packet_lost" for e in events), (place, lost)
    shown, least = {}, None
    for one in events:
        if one["name"] != "recovery:metrics_updated":
            continue
        at, data = nanoseconds(one["time"]), one["data"]
        if "latest_rtt" in data:
            assert nanoseconds(data["latest_rtt"]) == samples[at], (place, one)
        if "min_rtt" in data:
            least = data["min_rtt"]
        if "bytes_in_flight" in data:
            high, low, has_fin = levels[at]
            # The SYN and the FIN take a number each.
            bytes_sent = max(high - 1 - has_fin, 0)
            bytes_there = min(max(low - 1, 0), bytes_sent)
            assert data["bytes_in_flight"] == bytes_sent - bytes_there, (place, one, levels[at])
        shown.update(data)
    assert least is None or nanoseconds(least) == min(samples.values()), place
    told = [[acked for frame in one["data"]["frames"]
        for first, last in frame.get("acked_ranges", []) for acked in range(first, last + 1)]
        for one in events if one["name"] == "transport:packet_received"]
    assert told == covered, f"{place}: other packets are acknowledged"
    return again, lost, sum(map(len, told)), shown


def check(path, client_path, server_path):
    with open(path) as file:
        qlog = json.load(file)
    for flaw in jsonschema_rs.Draft202012Validator(whole).iter_errors(qlog):
        sys.exit(f"{flaw.instance_path}: {flaw.message[-300:]}")
    captures = {"client": flows(client_path), "server": flows(server_path)}
    ports = list(captures["client"])
    groups = list(dict.fromkeys(one["common_fields"]["group_id"] for one in qlog["traces"]))
    assert len(groups) == len(ports), (groups, ports)
    totals, numbers, keys = [0, 0, 0], {}, set()
    for one in qlog["traces"]:
        end, group = one["vantage_point"]["type"], one["common_fields"]["group_id"]
        place, events = one["title"], one["events"]
        times = [e["time"] for e in events]
        assert times == sorted(times), f"{place}: times go back"
        captured = captures[end][ports[groups.index(group)]]
        compare(events, captured, end == "client", place)
        again, lost, taken, shown = recompute(events, captured, end == "client", place)
        keys |= set(shown)
        totals = [sum(pair) for pair in zip(totals, (again, lost, taken))]
        for e in events:
            if e["name"].startswith("transport:"):
                side = e["name"].rpartition("_")[2]
                numbers.setdefault((group, end, side), []).append(
                    e["data"]["header"]["packet_number"])
        sent = numbers[group, end, "sent"] if (group, end, "sent") in numbers else []
        assert sent == list(range(len(sent))), f"{place}: numbers of sent packets"
    for (group, end, side), received in numbers.items():
        other = "server" if end == "client" else "client"
        if side == "received":
            assert set(received) <= set(numbers[group, other, "sent"]), (group, end)
    # Not every flow has a threshold or a pace.
    assert keys | {"ssthresh", "pacing_rate"} == set(metrics["properties"]), keys
    print(f"{len(qlog['traces'])} traces are good: {totals[0]} bytes sent again, "
        f"{totals[1]} packets taken for lost, {totals[2]} acknowledged")


check(*sys.argv[1:4])
