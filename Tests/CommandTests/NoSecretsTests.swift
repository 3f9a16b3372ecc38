import Foundation
import Testing

/// What a run leaves can be shown to anybody: a signed address is as good as a password until it
/// expires.
@Suite struct NoSecretsTests {
    @Test func `neither a log nor a report holds the signature of an address`() throws {
        let desk = try Desk()
        let scenario =
            Desk.houseScenarios + "/operations/retried-around-its-tokens-end.yaml"
        let answer = try desk.lab("run", scenario, "--report", "out")
        #expect(answer.code == 0, "\(answer.output)\(answer.errors)")
        let files = try #require(
            FileManager.default.enumerator(at: desk.url, includingPropertiesForKeys: nil))
        var seen = 0
        for case let file as URL in files {
            guard let content = try? Data(contentsOf: file) else { continue }
            seen += content.range(of: Data("/once/in/b.bin".utf8)) == nil ? 0 : 1
            let signature = content.range(of: Data("signature=".utf8))
            #expect(signature == nil, "\(file.lastPathComponent)")
        }
        #expect(seen > 1, "the log and the report tell of the refused request")
    }

    /// A scenario whose secrets all begin alike.
    private static let scenario = """
        name: secrets
        why: nobody tells them
        links:
          uplink: { rate: 8 Mbit/s, delay: 20 ms }
          downlink: { rate: 8 Mbit/s, delay: 20 ms }
        files: { a.bin: 1 MB, b.bin: 100 kB }
        sign-in: { user: ada, password: hushhush1, tokens: yes }
        accounts:
          other: { user: eve, password: "hushhush2" }
          third: { token: 'hushhush3' }
        queue:
          - { upload: a.bin, to: in/a.bin }
          - { upload: b.bin, to: in/b.bin, account: other }
          - { upload: b.bin, to: in/c.bin, account: third }
        operations:
          - { upload: b.bin, to: in/d.bin, refreshes-token: yes }
        resumable:
          - { upload: b.bin, to: b.bin, bucket: films }
        background:
          - { upload: b.bin, to: e.bin }
        visits:
          look:
            ask: HEAD /dav/e.bin
            fields: { Authorization: Basic YWRhOmh1c2hodXNoMQ== }
        timeline:
          - 5 s: sign in with hushhush4
          - 6 s: visit look
        server:
          accounts:
            ada: { password: hushhush1, tokens-last: 1 s }
            eve: { password: hushhush2, token: hushhush3 }
        """

    /// What gives a secret away: the passwords and tokens of the scenario, in Base64 as well, the
    /// server's own tokens, and signatures.
    private static let traces = [
        "hushhush", "h1c2hodXN", "odXNoaHVza", "1c2hodXNo", "tl1.", "Bearer t", "Bearer h",
    ]

    @Test(arguments: ["run", "live"])
    func `nothing that a run leaves holds a secret, and it can be played again`(
        world: String
    ) throws {
        let desk = try Desk()
        try desk.write(Self.scenario, to: "secrets.yaml")
        let answer =
            world == "run"
            ? try desk.lab(world, "secrets.yaml", "--flights", "--report", "out")
            : try desk.lab(world, "secrets.yaml", "--report", "out")
        #expect(answer.code == 0, "\(answer.output)\(answer.errors)")
        let files = try #require(
            FileManager.default.enumerator(
                at: desk.url.appending(path: "out"), includingPropertiesForKeys: nil))
        var seen = 0
        // A capture holds what passed, and that is said of it.
        for case let file as URL in files where file.pathExtension != "pcap" {
            guard let content = try? Data(contentsOf: file) else { continue }
            seen += 1
            for trace in Self.traces {
                let place = content.range(of: Data(trace.utf8))
                #expect(place == nil, "\(trace) in \(file.lastPathComponent)")
            }
            let text = String(decoding: content, as: UTF8.self)
            #expect(text.firstMatch(of: /signature=[0-9a-f]/) == nil, "\(file.lastPathComponent)")
        }
        #expect(seen > 5)
        guard world == "run" else { return }
        let again = try desk.lab("replay", "out/secrets")
        #expect(again.code == 0, "\(again.output)\(again.errors)")
        let flight = try desk.lab("replay", "out/secrets/flights/app-1-launch-1.flight")
        #expect(flight.output.hasSuffix("Each input gives the recorded outputs.\n"))
    }
}
