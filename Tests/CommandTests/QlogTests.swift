import Foundation
import Testing

/// `export --as qlog`, against the drafts of qlog and the captures of the run.
@Suite(.enabled(if: Program.python != nil, "./lab test makes a Python")) struct QlogTests {
    @Test(arguments: [
        "green.yaml", "queue/first-upload-with-loss", "network/losses-in-bursts",
        "network/every-packet-twice", "network/overtaking", "network/bufferbloat-drop-tail",
        "network/bbr-over-a-lossy-line", "network/tls-on-a-slow-phone", "network/fin-lost",
        "queue/app-killed-and-started-again", "network/download-while-another-uploads",
        "resumable/two-phones-one-object",
    ])
    func `qlog has each packet, acknowledgement and retransmission`(scenario: String) throws {
        let desk = try Desk()
        let run = try Exported.play(scenario, at: desk)
        let answer = try desk.lab("export", run, "--as", "qlog", "--to", "run.qlog")
        #expect(answer.code == 0 && answer.output.isEmpty, "\(answer.call): \(answer.errors)")
        let captures = ["capture.pcap", "capture-server.pcap"].map { "\(run)/\($0)" }
        let judged = try Exported.judge("qlog", ["run.qlog"] + captures, at: desk)
        #expect(judged.code == 0, "\(judged.output)\(judged.errors.suffix(2_000))")
    }

    private static let slips = [
        (#""0.3""#, #""0.4""#), (#""type":"server""#, #""type":"servant""#),
        (#""bytes_in_flight":0"#, #""bytes_in_flight":1"#),
        (#""latest_rtt":4"#, #""latest_rtt":5"#),
        (#""sequence_number":"#, #""sequence_number":1"#), (#""min_rtt""#, #""minRtt""#),
        (#""acked_ranges":[["#, #""acked_ranges":[[1"#), ("packet_sent", "packet_received"),
        (#""payload_length":1448"#, #""payload_length":1447"#),
        (#"recovery:packet_lost"#, #"recovery:packet_last"#),
    ]

    @Test func `a qlog that is wrong is found`() throws {
        let desk = try Desk()
        let run = try Exported.play("queue/first-upload-with-loss", at: desk)
        let qlog = try desk.lab("export", run, "--as", "qlog").output
        let captures = ["capture.pcap", "capture-server.pcap"].map { "\(run)/\($0)" }
        for (old, new) in Self.slips {
            let wrong = qlog.replacing(old, with: new)
            #expect(wrong != qlog, "\(old)")
            try desk.write(wrong, to: "run.qlog")
            let judged = try Exported.judge("qlog", ["run.qlog"] + captures, at: desk)
            #expect(judged.code == 1, "\(old)")
        }
    }

    @Test func `a named flow has traces of its own, also one to a server further away`() throws {
        let desk = try Desk()
        let path = "\(Desk.houseScenarios)/network/flows-of-unequal-round-trips.yaml"
        let qlog = try desk.lab("export", path, "--as", "qlog", "--to", "run.qlog")
        #expect(qlog.code == 0, "\(qlog.errors)")
        let script = """
            import json
            for trace in json.load(open("run.qlog"))["traces"]:
                data = [e["data"] for e in trace["events"] if e["name"].endswith("metrics_updated")]
                sent = {e["data"]["header"]["packet_number"]: e["time"] for e in trace["events"]
                    if e["name"] == "transport:packet_sent"}
                got = [e["time"] for e in trace["events"] if e["name"].endswith("received")]
                rtt = min([d["min_rtt"] for d in data if "min_rtt" in d], default=0)
                window = any("congestion_window" in d for d in data)
                print(trace["title"], round(rtt), window, round(sent[0]), round(got[0]))
            """
        try desk.write(script, to: "look.py")
        let seen = try Program.run(
            ["look.py"], of: Program.python ?? "", in: desk.url, environment: [:])
        // What the far server sends first is acknowledged behind the queue of the near flow.
        #expect(
            seen.output.split(separator: "\n") == [
                "near, client 20 True 0 20", "near, server 20 False 10 10",
                "far, client 140 True 0 140", "far, server 187 False 70 70",
            ], "\(seen.output)\(seen.errors)")
    }

    @Test func `one connection, a run that has changed, and a live run`() throws {
        let desk = try Desk()
        let path = "\(Desk.houseScenarios)/queue/app-killed-and-started-again.yaml"
        let all = try desk.lab("export", path, "--as", "qlog").output
        let one = try desk.lab("export", path, "--as", "qlog", "--flow", "2").output
        let titles = one.matches(of: #/"title":"(connection [^"]*)"/#).map { String($0.1) }
        #expect(titles == ["connection 2.1, client", "connection 2.1, server"])
        #expect(all.contains(one.split(separator: "\n")[2]))
        _ = try desk.lab("run", "green.yaml", "--report", "out")
        let model = try desk.text(of: "out/green/run.json")
        let changed = model.replacing(#/"digest" : "[0-9a-f]+"/#, with: "\"digest\" : \"0\"")
        try desk.write(changed, to: "out/green/run.json")
        let other = try desk.lab("export", "out/green", "--as", "qlog", "--to", "new.qlog")
        #expect(other.code == 2 && !desk.holds("new.qlog"))
        #expect(other.errors.contains("export its scenario instead"), "\(other.errors)")
        try desk.write(
            model.replacing("\"world\" : \"simulated\"", with: "\"world\" : \"live\""),
            to: "out/green/run.json")
        let live = try desk.lab("export", "out/green", "--as", "qlog")
        #expect(live.code == 2 && live.errors.contains("is a live run"), "\(live.errors)")
        #expect(try desk.lab("export", "out/green", "--as", "csv").code == 0)
    }
}
