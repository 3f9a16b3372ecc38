import Checks
import Foundation
import Quantities
import Reports
import RunLog

/// Everyone who follows a run while it happens: checks, digest, figures, and the file of its
/// events.
///
/// The log reaches each reader once, in order; nobody keeps it whole.
struct RunPipeline: RunLogReader {
    private var digest = RunDigest()
    private var figures = FigureCollector()
    private var checks: CheckSet
    private let file: EventFile?
    private let witness: ((RunEvent) -> Void)?
    /// Whether somebody reads what is counted packet by packet.
    private let countsPackets: Bool
    /// Of what happens alone: it tells whether the cases of a matrix differ in more than their
    /// plans.
    private var course: RunDigest?
    private var markedPackets: UInt64 = 0

    init(
        checks: CheckSet, file: EventFile?, countsPackets: Bool = true, isOneCase: Bool = false,
        witness: ((RunEvent) -> Void)? = nil
    ) {
        self.witness = witness
        course = isOneCase ? RunDigest() : nil
        self.countsPackets = countsPackets
        self.checks = checks
        self.file = file
    }

    mutating func read(_ event: RunEvent) {
        digest.read(event)
        if !event.fact.statesPlan { course?.read(event) }
        checks.read(event)
        figures.read(event)
        file?.append(event)
        witness?(event)
    }

    mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        digest.read(packets: packets)
        checks.read(packets: packets)
        if countsPackets { figures.read(packets: packets) }
    }

    /// Notes how far the packets have come, if there were any since the last mark.
    mutating func mark(at moment: Instant) {
        guard digest.packetCount > markedPackets else { return }
        markedPackets = digest.packetCount
        read(RunEvent(at: moment, .packets(digest.packetMark)))
    }

    /// What the run amounts to, once the log is complete; `event` finds one by its index in the
    /// log.
    func model(mustFail: String?, event: (Int) -> RunEvent?) -> ReportModel {
        var model = ReportModel(
            figures, verdicts: checks.verdicts(), mustFail: mustFail, digest: digest.text,
            event: event)
        model.course = course?.text
        return model
    }
}

extension Fact {
    /// Whether it tells what somebody has planned, and nothing that came of it. The packets have
    /// their marks among the events.
    fileprivate var statesPlan: Bool {
        switch self {
        case .run(.began), .device(.stands), .device(.diskStands), .link(.planned), .link(.shared),
            .network(.interface):
            true
        case .run, .device, .link, .network, .file, .queue, .operations, .entries, .background,
            .daemon,
            .engine, .store, .connection, .server, .packets:
            false
        }
    }
}
