import Content
import LinkModels
import RunLog
import Testing

/// tshark reads the captures of simulated packets, and sees in them what the log knows.
@Suite(.enabled(if: Tshark.isInstalled, "tshark is not installed; ./lab test installs it"))
struct TsharkAgreesTests {
    /// A textbook case: which packets of the uplink are lost, of how many segments.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var lost: [UInt64]
        var segments: UInt64 = 20
        var repeated: Int
        var testDescription: String { name }

        func play() throws -> TappedHosts {
            try TappedHosts(
                .plain("uplink").losing(lost), .plain("downlink"),
                sending: [.content(.file(1, segments * 1448))])
        }
    }

    static let textbook = [
        Case(name: "nothing is lost", lost: [], repeated: 0),
        Case(name: "a single loss", lost: [4], repeated: 1),
        Case(name: "a burst", lost: [4, 6, 8], repeated: 3),
        Case(name: "a lost repetition", lost: [4, 21], repeated: 2),
        Case(name: "a lost tail", lost: [10, 11, 12], segments: 10, repeated: 3),
        Case(name: "a lost SYN", lost: [0], repeated: 1),
        Case(name: "a lost FIN", lost: [12], segments: 10, repeated: 1),
    ]

    @Test(arguments: textbook)
    func `at the sender its counts are the log's`(example: Case) throws {
        let run = try example.play()
        let (tshark, truth) = try Self.read(run, at: .client)
        #expect(truth.count(.repeated) == example.repeated)
        #expect(TsharkDifferences(tshark, truth).lines.map(\.description) == [])
        for frame in tshark.frames { #expect(frame.isSound && frame.complaints == []) }
    }
}

extension TsharkAgreesTests {
    static func read(_ run: TappedHosts, at place: TappedHosts.Place) throws -> (
        Tshark, PacketTruth
    ) {
        let tshark = try Tshark(reading: run.file(at: place))
        let truth = PacketTruth(run.hosts.packets) { place.isFrame($0) }
        try #require(tshark.frames.count == truth.frames.count)
        return (tshark, truth)
    }
}
