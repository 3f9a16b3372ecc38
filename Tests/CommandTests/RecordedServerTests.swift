import Foundation
import Testing

/// What `serve --record` leaves behind, and what reads it.
@Suite struct RecordedServerTests {
    /// Why this process may not capture packets, if it may not.
    static let refusal: String? = {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("CapEff:") } ?? ""
        let rights = UInt64(line.dropFirst("CapEff:".count).filter(\.isHexDigit), radix: 16) ?? 0
        let captureRight: UInt64 = 1 << 13
        return rights & captureRight == 0 ? "packets need root or the right to capture" : nil
    }()

    /// Two clients: one sends and reads, the other is turned down.
    private static let visit = """
        curl -sf -T film $url/dav/film
        curl -sf -o back $url/dav/film
        cmp film back
        curl -s --interface 127.0.0.7 -o /dev/null -w '%{http_code} ' $url/dav/film
        curl -sf $page | grep -c 'recorded in .*/rec<'
        """
    private static let faults = "faults: { shut: { do: answer 423, client: 127.0.0.7 } }"

    /// A server that was visited and has ended; `rec` on the desk is the recording.
    private func recorded(
        _ options: [String] = [], by signal: Int32 = SIGTERM
    ) throws -> (desk: TemporaryFolder, server: ServedFolder) {
        let desk = try TemporaryFolder()
        let server = try ServedFolder(
            ["--fast", "--record", desk.url.appending(path: "rec").path] + options,
            faults: Self.faults)
        try server.write(300_000, to: "film")
        let answer = try server.shell(Self.visit)
        #expect(answer.output == "423 1\n", "\(answer.errors)")
        let code = server.end(by: signal)
        let errors = try server.errors()
        #expect(code == (signal == SIGKILL ? SIGKILL : 0), "\(errors)")
        return (desk, server)
    }

    @Test(.enabled(if: refusal == nil, "\(refusal ?? "")"))
    func `the log, the packets and the report of what clients did`() throws {
        let (desk, server) = try recorded()
        let run = try Run(in: desk)
        #expect(run.ending == "stopped")
        #expect(run.figures.requests == 3 && run.figures.publications == 1)
        #expect(
            run.figures.service.clients == [
                .init(address: "127.0.0.1", requests: 2, failures: 0, faults: 0),
                .init(address: "127.0.0.7", requests: 1, failures: 1, faults: 1),
            ])
        let moved = run.figures.captures.map(\.captured.bytes)
        #expect(moved.count == 2 && moved.allSatisfy { $0 > 300_000 }, "\(moved)")
        let answer = try Program.shell(
            """
            "$lab" diff rec rec && "$lab" compare rec rec >/dev/null && echo compared
            "$lab" replay rec; echo $?
            tshark -r rec/capture.pcap -Y http.request -T fields -e http.request.method 2>/dev/null
            tshark -r rec/capture.pcap -Y 'tcp.flags.syn == 1 && tcp.flags.ack == 0' 2>/dev/null |
                wc -l
            """, in: desk.url)
        #expect(
            answer.lines.dropFirst() == ["compared", "2", "PUT", "GET", "GET", "3"],
            "\(answer.output) \(answer.errors)")
        #expect(answer.lines.first?.hasPrefix("The same: ") == true)
        #expect(
            answer.errors.contains("start the server again with: ./lab serve --docroot"),
            "\(answer.errors)")
        if Program.python != nil {
            let same = try RecomputedFiguresTests.recompute("figures.py", "rec", in: desk.url)
            #expect(same.code == 0, "\(same.call): \(same.output)\(same.errors)")
        }
        // What is told on the standard output is what is in the log, but for its ends.
        let log = try desk.text(of: "rec/events.jsonl").split(separator: "\n").map(String.init)
        #expect(Array(log.dropFirst(2).dropLast()) == server.lines)
    }

    @Test(
        .enabled(if: refusal == nil, "\(refusal ?? "")"),
        .enabled(if: Browser.isInstalled, "./lab test installs chromium"))
    func `the report shows clients, answers, connections and packets`() throws {
        let (desk, _) = try recorded()
        let page = desk.url.appending(path: "rec/report.html")
        let view = try Browser.open(page, withScripts: true)
        #expect(view.console == [], "\(view.call)")
        for words in [
            "recording of a server", "was served from", "Clients and answers", "127.0.0.7, 3",
            "uplink, captured", "capture.pcap", "cannot be played again", "answer 423",
        ] {
            #expect(view.document.contains(words), "no “\(words)”; \(view.call)")
        }
    }

    @Test(.enabled(if: refusal == nil, "\(refusal ?? "")"))
    func `a server that is killed leaves all that had happened by then`() throws {
        let (desk, _) = try recorded(by: SIGKILL)
        // What it may have been in the middle of writing is cut off.
        let answer = try Program.shell(
            """
            "$lab" diff rec rec
            printf '{"at":1' >>rec/events.jsonl
            tail -c 20 rec/capture.pcap >>rec/capture.pcap
            "$lab" report rec
            tshark -r rec/capture.pcap -Y http.request -T fields -e http.request.method 2>/dev/null
            """, in: desk.url)
        #expect(answer.errors.contains("make the file with ./lab report rec"), "\(answer.errors)")
        #expect(answer.lines == ["rec/report.html", "PUT", "GET", "GET"], "\(answer.errors)")
        let run = try Run(in: desk)
        #expect(run.ending == nil)
        #expect(run.figures.requests == 3 && run.figures.captures.count == 2)
    }

    @Test(.enabled(if: refusal == nil, "\(refusal ?? "")"))
    func `a capture that cannot be read is missing from the report, and it says so`() throws {
        let (desk, _) = try recorded()
        try Data("no capture".utf8).write(to: desk.url.appending(path: "rec/capture.pcap"))
        let answer = try Program.shell("\"$lab\" report rec", in: desk.url)
        #expect(answer.code == 0 && answer.lines == ["rec/report.html"], "\(answer.errors)")
        let page = try String(
            contentsOf: desk.url.appending(path: "rec/report.html"), encoding: .utf8)
        #expect(page.contains("capture.pcap cannot be read"))
        #expect(page.contains("the log has what the clients did"))
        #expect(try Run(in: desk).figures.requests == 3)
    }

    @Test func `a log that cannot be read is an error, and no report of half of it`() throws {
        let desk = try Desk()
        try FileManager.default.createDirectory(
            at: desk.url.appending(path: "rec/events.jsonl"), withIntermediateDirectories: true)
        let answer = try desk.lab("report", "rec")
        #expect(answer.code == 2 && answer.errors.contains("events.jsonl cannot be read"))
    }

    @Test(.enabled(if: refusal == nil, "\(refusal ?? "")"))
    func `the report made of the files is the one that the server has made`() throws {
        let (desk, _) = try recorded()
        let answer = try Program.shell(
            """
            mkdir before
            mv rec/run.json rec/report.html before
            "$lab" report rec
            cmp rec/run.json before/run.json && cmp rec/report.html before/report.html && echo same
            """, in: desk.url)
        #expect(answer.lines == ["rec/report.html", "same"], "\(answer.errors)")
    }

    @Test(.enabled(if: refusal == nil, "\(refusal ?? "")"))
    func `a capture ends at its limit, and the server goes on`() throws {
        let desk = try TemporaryFolder()
        let server = try ServedFolder(
            "--fast", "--record", desk.url.appending(path: "rec").path, "--capture-limit", "1")
        try server.write(3_000_000, to: "film")
        let answer = try server.shell(
            "for i in 1 2; do curl -sf -T film -o /dev/null -w '%{http_code} ' $url/dav/$i; done")
        #expect(answer.output == "201 201 ", "\(answer.errors)")
        #expect(server.end(by: SIGINT) == 0)
        let size =
            try desk.url.appending(path: "rec/capture.pcap")
            .resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        #expect((800_000...1_000_000).contains(size), "\(size)")
        let said = "the capture ends here: the capture has reached its limit of 1 MB"
        #expect(try server.errors().contains(said))
        #expect(try desk.text(of: "rec/run.json").contains(said))
        #expect(try Run(in: desk).figures.requests == 2)
    }

    @Test(.enabled(if: refusal == nil, "\(refusal ?? "")"))
    func `who listens for everybody captures on every interface, each packet once`() throws {
        let (desk, _) = try recorded(["--listen", "0.0.0.0"])
        let answer = try Program.shell(
            """
            tshark -r rec/capture.pcap -Y 'tcp.flags.syn == 1 && tcp.flags.ack == 0' 2>/dev/null |
                wc -l
            tshark -r rec/capture.pcap -Y http.request -T fields -e http.request.method 2>/dev/null
            """, in: desk.url)
        #expect(answer.lines == ["3", "PUT", "GET", "GET"], "\(answer.errors)")
        #expect(try Run(in: desk).figures.captures.count == 2)
    }

    /// Root gives its rights away for it.
    @Test func `without the right to capture nothing begins, and the ways out are said`() throws {
        let desk = try TemporaryFolder()
        let script = """
            mkdir root
            away=
            [ "$(id -u)" != 0 ] || away='setpriv --bounding-set -net_raw --inh-caps -net_raw'
            $away "$lab" serve --docroot root --record rec
            """
        let answer = try Program.shell(script, in: desk.url)
        guard Self.refusal != nil || !answer.errors.contains("setpriv") else {
            Issue.record("the right cannot be given away: \(answer.errors)")
            return
        }
        #expect(answer.code == 2 && answer.output.isEmpty, "\(answer.output)")
        for words in ["no right to capture", "run as root", "setcap", "--no-capture"] {
            #expect(answer.errors.contains(words), "\(answer.errors)")
        }
        let entries = try FileManager.default.contentsOfDirectory(
            atPath: desk.url.appending(path: "rec").path)
        #expect(entries == [])
    }

    @Test func `the log alone, where nobody wants packets`() throws {
        let (desk, _) = try recorded(["--no-capture"])
        let run = try Run(in: desk)
        #expect(run.figures.requests == 3 && run.figures.captures.isEmpty)
        #expect(try desk.text(of: "rec/run.json").contains("no packets were captured, because"))
        let entries = try FileManager.default.contentsOfDirectory(
            atPath: desk.url.appending(path: "rec").path)
        #expect(entries.sorted() == ["events.jsonl", "report.html", "run.json"])
    }

    @Test func `a log that cannot be written stops the server, which says so`() throws {
        let desk = try TemporaryFolder()
        let answer = try Program.shell(
            """
            mkdir root
            trap '' XFSZ; ulimit -f 8
            mkfifo lines
            "$lab" serve --docroot root --record rec --no-capture --port 0 >lines & server=$!
            exec 3<lines
            read -r line <&3
            port=$(echo "$line" | sed -n 's/.*"port":\\([0-9]*\\).*/\\1/p')
            while curl -s -o /dev/null http://127.0.0.1:$port/dav/$((i += 1)); do :; done
            cat <&3 >/dev/null &
            wait $server
            """, in: desk.url)
        #expect(answer.code == 2, "\(answer.errors)")
        #expect(
            answer.errors.contains("rec/events.jsonl could not be written: File too large"),
            "\(answer.errors)")
    }

    static let refusals: [(options: String, says: [String])] = [
        ("--record full", ["full is not empty: it has “note”", "with --record"]),
        ("--record root", ["root is in root, where clients would see it"]),
        ("--record root/in/there", ["root/in/there is in root", "name another folder"]),
        ("--record link/there", ["link/there is in root"]),
        ("--record full/note", ["cannot create the folder", "full/note", "with --record"]),
        ("--no-capture", ["--no-capture works only with --record"]),
        ("--capture-limit 5", ["--capture-limit works only with --record"]),
        ("--record new --snap-length 79", ["--snap-length must be at least 80"]),
        ("--record new --snap-length 262145", ["from 0 to 262144"]),
        ("--record new --no-capture --snap-length 99", ["--no-capture exclude each other"]),
        ("--recrod new", ["no option --recrod", "did you mean “--record”?"]),
    ]

    @Test(arguments: refusals)
    func `a recording that cannot be is refused, and nothing is touched`(
        options: String, says: [String]
    ) throws {
        let desk = try TemporaryFolder()
        let answer = try Program.shell(
            """
            mkdir root full; ln -s root link; echo mine >full/note
            "$lab" serve --docroot root \(options); echo $?
            cat full/note; ls -A root
            """, in: desk.url)
        #expect(answer.output == "2\nmine\n", "\(answer.call)")
        for words in says { #expect(answer.errors.contains(words), "\(answer.errors)") }
    }

    @Test func `a report is made of a recording only`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--report", "out")
        let answer = try desk.lab("report", "out/green")
        #expect(answer.code == 2)
        #expect(
            answer.errors.contains(
                "out/green is not a server's recording; play it again with: ./lab run green.yaml"),
            "\(answer.errors)")
        #expect(try desk.lab("report", "out").errors.contains("there is no events.jsonl in out"))
    }

    /// What is looked at of a `run.json`.
    private struct Run: Decodable {
        var ending: String?
        var figures: Figures

        init(in desk: TemporaryFolder) throws {
            let data = try Data(contentsOf: desk.url.appending(path: "rec/run.json"))
            self = try JSONDecoder().decode(Self.self, from: data)
        }

        struct Figures: Decodable {
            var requests: Int
            var publications: Int
            var service: Service
            var captures: [Capture]
        }

        struct Service: Decodable { var clients: [Client] }

        struct Client: Decodable, Equatable {
            var address: String
            var requests: Int
            var failures: Int
            var faults: Int
        }

        struct Capture: Decodable {
            var captured: Tally
            struct Tally: Decodable { var bytes: Int }
        }
    }
}

extension TemporaryFolder {
    fileprivate func text(of name: String) throws -> String {
        try String(contentsOf: url.appending(path: name), encoding: .utf8)
    }
}
