import Capture
import Content
import LinkModels
import Quantities
import RunLog
import Testing

/// tshark reads the captures of simulated packets, and sees in them what the log knows.
@Suite(.enabled(if: Tshark.isInstalled, "tshark is not installed; ./lab test installs it"))
struct TsharkAgreesTests {
    /// A textbook case: what the uplink does to so many segments, and how many it makes be sent
    /// again.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var uplink: LinkPlan
        var segments: UInt64
        var repeated: Int

        init(
            _ name: String, losing lost: [UInt64] = [], of segments: UInt64 = 20, repeated: Int
        ) {
            testDescription = name
            uplink = .plain("uplink")
            if !lost.isEmpty { uplink = uplink.losing(lost) }
            self.segments = segments
            self.repeated = repeated
        }
    }

    static let textbook = [
        Case("nothing is lost", repeated: 0),
        Case("a single loss", losing: [4], repeated: 1),
        Case("a burst", losing: [4, 6, 8], repeated: 3),
        Case("a lost repetition", losing: [4, 18], repeated: 2),
        Case("a lost tail", losing: [10, 11, 12], of: 10, repeated: 3),
        Case("a lost SYN", losing: [0], repeated: 1),
        Case("a lost FIN", losing: [12], of: 10, repeated: 1),
        stalled,
    ]

    /// What is in the queue waits so long that its sender probes, and then times out; nothing is
    /// lost.
    private static let stalled: Case = {
        var example = Case("a spurious timeout", repeated: 2)
        let always = RateSteps([.init(from: .zero, rate: Bitrate(bitsPerSecond: 8_000_000))])
        let paused = always?.interrupted(from: .milliseconds(40), to: .milliseconds(600))
        guard let paused else { preconditionFailure("the pause is no schedule") }
        example.uplink.bottleneck = BottleneckPlan(
            schedule: .steps(paused), queue: .dropTail(limit: ByteCount(64_000)))
        return example
    }()

    @Test(arguments: textbook)
    func `in the textbook cases its counts at the sender are the log's`(example: Case) throws {
        let run = try TappedHosts(
            example.uplink, .plain("downlink"),
            sending: [.content(.file(1, example.segments * 1448))])
        let (tshark, truth) = try Self.read(run, at: .client)
        #expect(truth.count(.repeated) == example.repeated)
        #expect(Self.words(TsharkDifferences(tshark, truth)) == [])
        for frame in tshark.frames { #expect(frame.isSound && frame.complaints == []) }
    }

    @Test func `at the receiver it takes a repetition in a burst for a packet that was overtaken`()
        throws
    {
        let run = try TappedHosts(
            .plain("uplink").losing([4, 6, 8]), .plain("downlink"),
            sending: [.content(.file(1, 20 * 1448))])
        let (tshark, truth) = try Self.read(run, at: .server)
        let reason = "within a first round trip after newer content (Wireshark #13863)"
        #expect(
            Self.words(TsharkDifferences(tshark, truth)) == [
                "frame 32, 63724 µs: tshark out_of_order, log retransmission: \(reason)",
                "frame 34, 77804 µs: tshark out_of_order, log retransmission: \(reason)",
            ])
    }

    /// Links on which tshark must guess: every difference is printed with its reason.
    static let rough: [LinkPlan] = {
        var reordering = LinkPlan.plain("uplink that reorders", megabits: 20, queue: 5_000_000)
        reordering.filters = [.reordering(.init(chance: .percent(2), hold: .milliseconds(8)))]
        var doubling = LinkPlan.plain("uplink that doubles and damages", losing: 1)
        doubling.filters += [.duplication(.percent(2)), .corruption(.percent(1))]
        let losing = LinkPlan.plain("uplink that loses", losing: 3)
        return [losing, reordering, doubling].map { plan in
            var plan = plan
            plan.delay = .milliseconds(30)
            return plan
        }
    }()

    @Test(arguments: rough, TappedHosts.Place.allCases)
    func `on rough links every difference has a reason that the log confirms`(
        uplink: LinkPlan, place: TappedHosts.Place
    ) throws {
        let run = try TappedHosts(
            uplink, .plain("downlink", delay: .milliseconds(30)),
            sending: [.content(.file(1, 700 * 1448))])
        let (tshark, truth) = try Self.read(run, at: place)
        let differences = TsharkDifferences(tshark, truth).lines
        let counted = tshark.frames.count { $0.findings.contains(.retransmission) }
        print(
            """
            \(uplink.name), at the \(place): of \(truth.frames.count) frames \
            \(truth.count(.repeated)) were sent again, tshark says \(counted); \
            \(differences.count) differences
            """)
        for line in differences {
            print("  \(Self.words(line))")
            #expect(line.reason != nil, "\(Self.words(line))")
        }
        #expect(truth.count(.repeated) > 0)
        // What is damaged on the way is so where it arrives.
        let unsound = tshark.frames.count { !$0.isSound }
        #expect((unsound > 0) == (uplink.name.contains("damages") && place == .server))
    }

    private static func words(_ differences: TsharkDifferences) -> [String] {
        differences.lines.map(words)
    }

    private static func words(_ line: TsharkDifferences.Line) -> String {
        "frame \(line.frame), \(line.atNanoseconds / 1_000) µs: tshark \(line.seen.words), "
            + "log \(line.told.words): \(line.reason?.rawValue ?? "UNEXPLAINED")"
    }

    private static func read(
        _ run: TappedHosts, at place: TappedHosts.Place
    ) throws -> (Tshark, PacketTruth) {
        let tshark = try Tshark(reading: run.file(at: place))
        var truth = PacketTruth { place.isFrame($0) }
        for record in run.hosts.packets { truth.read(record) }
        try #require(tshark.frames.count == truth.frames.count)
        return (tshark, truth)
    }
}
