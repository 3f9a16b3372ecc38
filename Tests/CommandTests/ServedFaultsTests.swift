import Foundation
import Testing

/// A server that fails on purpose, as curl sees it.
@Suite struct ServedFaultsTests {
    /// Makes an upload of 300 000 bytes; `$place` is where.
    private static let creation = """
        tus='Tus-Resumable: 1.0.0'
        place=$(curl -sf -D - -o /dev/null -X POST -H "$tus" -H 'Upload-Length: 300000' \\
            -H 'Upload-Metadata: filename ZmlsbQ==' $url/tus | tr -d '\\r' |
            sed -n 's/^Location: //p')
        """

    @Test func `statuses, with the time to come again`() throws {
        let server = try ServedFolder(
            "--fast",
            faults: """
                faults:
                  busy: { do: answer 503 with retry after 5 s, method: PUT, requests: 1 }
                  slow down: { do: answer 429 with retry date after 60 s, method: PUT, requests: 2 }
                  locked: { do: answer 423, path: /dav/locked/* }
                """)
        let answer = try server.shell(
            """
            echo hello >a
            curl -s -D head1 -o /dev/null -w '%{http_code} ' -T a $url/dav/a
            curl -s -D head2 -o /dev/null -w '%{http_code} ' -T a $url/dav/a
            curl -s -o /dev/null -w '%{http_code} ' -T a $url/dav/a
            curl -s -o /dev/null -w '%{http_code} ' $url/dav/locked/a
            grep -i '^retry-after' head1 head2 | tr -d '\\r'
            """)
        let lines = answer.output.split(separator: "\n")
        #expect(lines.first == "503 429 201 423 head1:Retry-After: 5", "\(answer.output)")
        let date = lines.last?.split(separator: ": ").last.map(String.init) ?? ""
        let parser = DateFormatter()
        parser.locale = Locale(identifier: "en_US_POSIX")
        parser.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        parser.timeZone = TimeZone(identifier: "GMT")
        let later = try #require(parser.date(from: date)).timeIntervalSinceNow
        #expect((0...61).contains(later), "\(date)")
    }

    @Test func `one client alone, by its address, while others are served`() throws {
        let server = try ServedFolder(
            "--fast",
            faults: """
                faults:
                  that one: { do: answer 423, client: 127.0.0.7 }
                  those: { do: answer 429, client: 127.5.0.0/16 }
                """)
        let answer = try server.shell(
            """
            for client in 127.0.0.1 127.0.0.7 127.5.1.1 127.6.1.1; do
                curl -s --interface $client -o /dev/null -w '%{http_code} ' $url/dav/a
            done
            """)
        #expect(answer.output == "404 423 429 404 ", "\(answer.errors)")
        #expect(server.end(by: SIGTERM) == 0)
        let lines = server.lines
        #expect(
            lines.contains { $0.contains(#""answered":{"client":"127.6.1.1","connection":4,"#) },
            "\(lines)")
        #expect(
            lines.contains { $0.contains(#""fault":{"client":"127.0.0.7","connection":2,"#) },
            "\(lines)")
    }

    @Test func `a body is reset on its way in, and goes on where it was cut`() throws {
        let server = try ServedFolder(
            faults: "faults: { cut: { do: reset, at: 100 kB received, method: PATCH, times: 1 } }")
        try server.write(300_000, to: "film")
        let answer = try server.shell(
            """
            \(Self.creation)
            send() {
                tail -c +$(($1 + 1)) film | curl -s -X PATCH -H "$tus" -H "Upload-Offset: $1" \\
                    -H 'Content-Type: application/offset+octet-stream' -H 'Expect:' \\
                    --data-binary @- -o /dev/null -w '%{http_code}\\n' $url$place
            }
            send 0; echo "curl $?"
            offset=$(curl -sf -I -H "$tus" $url$place | tr -d '\\r' |
                sed -n 's/^Upload-Offset: //p')
            echo $offset
            send $offset
            cmp film docroot/film && echo same
            """)
        // Sending or receiving fails, whichever comes first.
        #expect(answer.lines.contains { ["curl 55", "curl 56"].contains($0) })
        #expect(
            answer.lines.filter { !$0.hasPrefix("curl") } == ["000", "100000", "204", "same"],
            "\(answer.output) \(answer.errors)")
    }

    @Test func `an object is cut on its way out, and curl goes on with the rest`() throws {
        let server = try ServedFolder(
            "--fast",
            faults: """
                faults:
                  cut: { do: reset, at: 1 MB sent, method: GET, times: 1 }
                  short: { do: close, at: 500 kB sent, method: GET, requests: 2 }
                """)
        try server.write(3_000_000, to: "film")
        let answer = try server.shell(
            """
            curl -sf -T film $url/dav/film
            curl -s -o got $url/dav/film; echo "curl $?"
            test $(stat -c %s got) -le 1000000 && echo short
            curl -s -C - -o got $url/dav/film; echo "curl $?"
            curl -s -C - -o got $url/dav/film; echo "curl $?"
            cmp film got && echo same
            """)
        #expect(
            answer.lines
                == ["curl 56", "short", "curl 18", "curl 0", "same"],
            "\(answer.output) \(answer.errors)")
    }

    @Test func `bodies and objects are slow, answers wait, and nothing is lost by it`() throws {
        let server = try ServedFolder(
            "--fast",
            faults: """
                faults:
                  slow in: { do: take bodies at 800 kbit/s, path: /dav/in }
                  slow out: { do: send objects at 800 kbit/s, path: /dav/in }
                  stop: { do: stall for 1 s, at: 50 kB received, path: /dav/stop }
                  late: { do: stall for 1 s, method: HEAD }
                """)
        try server.write(150_000, to: "film")
        let answer = try server.shell(
            """
            curl -sf -T film -w '%{time_total}\\n' $url/dav/in
            curl -sf -o got -w '%{time_total}\\n' $url/dav/in
            curl -sf -T film -w '%{time_total}\\n' $url/dav/stop
            curl -sf -I -o none -w '%{time_total}\\n' $url/dav/stop
            cmp film got && cmp film docroot/in && cmp film docroot/stop && echo same
            """)
        #expect(answer.lines.last == "same", "\(answer.output) \(answer.errors)")
        // The last block of a slow body is waited for, that of a slow object is not.
        let least = [1.4, 1.3, 0.9, 0.9]
        let seconds = answer.lines.dropLast().compactMap(Double.init)
        #expect(seconds.count == least.count)
        #expect(zip(seconds, least).allSatisfy { $0 >= $1 }, "\(seconds)")
    }

    @Test func `ranges are wrong in every way, and so is HTTP`() throws {
        let server = try ServedFolder(
            "--fast",
            faults: """
                faults:
                  beside: { do: send another range, requests: 1, method: GET }
                  wrong: { do: send a wrong content-range, requests: 2, method: GET }
                  whole: { do: ignore ranges, requests: 3, method: GET }
                  none: { do: answer 416, requests: 4, method: GET }
                  half: { do: send half a head, requests: 5, method: GET }
                  rubbish: { do: send garbage, requests: 6, method: GET }
                """)
        let answer = try server.shell(
            """
            printf 0123456789 >a
            curl -sf -T a $url/dav/a
            get() {
                curl -s -m 5 -D head -r 2-4 $url/dav/a
                echo " $?: $(tr -d '\\r' <head | sed -n '1p;s/^Content-Range: //p' | tr '\\n' ' ')"
            }
            get; get; get; get
            for i in 5 6; do
                curl -s -m 5 -o none -w '%{http_code} %{size_download} ' $url/dav/a; echo $?
            done
            """)
        #expect(
            answer.lines == [
                "123 0: HTTP/1.1 206 Partial Content bytes 1-3/10 ",
                "234 0: HTTP/1.1 206 Partial Content bytes 3-5/11 ",
                "0123456789 0: HTTP/1.1 200 OK ", "“a” has 10 bytes",
                " 0: HTTP/1.1 416 Range Not Satisfiable bytes */10 ",
                // Half a head is a whole one to curl, and rubbish is “HTTP/0.9”, which it refuses.
                "200 0 0", "000 0 1",
            ], "\(answer.output)")
    }

    @Test(arguments: [true, false])
    func `a server restarts, and what was staged is there or not`(keepsStaging: Bool) throws {
        let server = try ServedFolder(
            faults: """
                faults:
                  crash:
                    do: restart after 1 s\(keepsStaging ? "" : " without staging")
                    at: 100 kB received
                    method: PATCH
                    times: 1
                """)
        try server.write(300_000, to: "film")
        let answer = try server.shell(
            """
            echo old >old; curl -sf -T old $url/dav/old
            \(Self.creation)
            curl -s -X PATCH -H "$tus" -H "Upload-Offset: 0" -H 'Expect:' --data-binary @film \\
                -H 'Content-Type: application/offset+octet-stream' -o /dev/null $url$place
            curl -s $url/dav/old; echo "curl $?"
            curl -s --retry 20 --retry-delay 1 --retry-connrefused $url/dav/old
            curl -s -I -H "$tus" $url$place | tr -d '\\r' | sed -n '1p;s/^Upload-Offset: //p'
            """)
        let rest = keepsStaging ? ["HTTP/1.1 200 OK", "100000"] : ["HTTP/1.1 404 Not Found"]
        #expect(
            answer.lines == ["curl 7", "old"] + rest,
            "\(answer.output) \(answer.errors)")
    }

    @Test func `faults are lines of the log, and the disk is full for a while`() throws {
        let server = try ServedFolder(
            "--fast",
            faults: "faults: { full: { do: fill the disk, times: 2 } }")
        let answer = try server.shell(
            """
            echo hello >a
            for i in 1 2 3; do
                curl -s -o /dev/null -w '%{http_code} ' -T a $url/dav/a
            done
            """)
        #expect(answer.output == "507 507 201 ")
        #expect(server.end(by: SIGTERM) == 0)
        #expect(server.lines.count { $0.contains("\"faultSwitched\"") } == 1)
        #expect(server.lines.count { $0.contains("\"effect\":\"the disk is full") } == 2)
    }

    static let mistakes: [(script: String?, words: [String])] = [
        (nil, ["cannot read the faults in script.faults.yaml"]),
        ("", ["script.faults.yaml:1:1: error: the file is empty"]),
        (
            "faults:\n  busy: { do: anser 503 }\n",
            [
                "script.faults.yaml:2:15: error: “anser 503” is not",
                "answer N with retry after TIME",
            ]
        ),
        (
            "faults:\n  busy: { do: reset, metod: PUT }\n",
            [
                "script.faults.yaml:2:22: error: a fault has no key “metod”",
                "did you mean “method”?",
            ]
        ),
    ]

    @Test(arguments: mistakes)
    func `a script that cannot be read is an error with its place`(
        script: String?, words: [String]
    ) throws {
        let desk = try Desk()
        if let script {
            try Data(script.utf8).write(to: desk.url.appending(path: "script.faults.yaml"))
        }
        let commands = [
            ["serve", "--docroot", ".", "--faults", "script.faults.yaml"],
            ["check", "script.faults.yaml"],
        ]
        for command in commands {
            let answer = try Program.run(command, in: desk.url)
            #expect(answer.code == 2)
            for word in words { #expect(answer.errors.contains(word), "\(answer.errors)") }
        }
    }

    @Test func `a script is checked without a server`() throws {
        let desk = try Desk()
        try Data("faults: { a: { do: reset } }".utf8)
            .write(to: desk.url.appending(path: "script.faults.yaml"))
        let answer = try Program.run(["check", "script.faults.yaml"], in: desk.url)
        #expect(answer.code == 0)
        #expect(answer.output.contains("script.faults.yaml: 1 fault can happen"))
    }
}
