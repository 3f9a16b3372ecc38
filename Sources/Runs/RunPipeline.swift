import Checks
import Foundation
import Quantities
import Reports
import RunLog

/// All readers of a run's log: checks, digest, figures, and the file of events.
///
/// The log reaches each reader once, in order; nobody keeps it whole.
struct RunPipeline: RunLogReader {
    private var digest = RunDigest()
    private var figures: FigureCollector
    private var checks: CheckSet
    private let file: EventFile?
    private let witness: ((RunEvent) -> Void)?
    /// Another reader of the whole log.
    private var observer: (any RunLogReader)?
    /// Whether the figures include those counted packet by packet.
    private let countsPackets: Bool
    /// A digest without the facts that state the seed and the plan, and without the packets, whose
    /// sequence numbers begin anywhere. It tells whether the cases of a matrix, or the seeds of a
    /// scenario, differ in anything that happens.
    private var course: RunDigest?
    private var markedPackets: UInt64 = 0

    init(
        checks: CheckSet, file: EventFile?, countsPackets: Bool = true,
        drawsSeries: Bool = true, isOneOfSeveral: Bool = false,
        witness: ((RunEvent) -> Void)? = nil, observer: (any RunLogReader)? = nil
    ) {
        self.witness = witness
        self.observer = observer
        figures = FigureCollector(drawsSeries: drawsSeries && countsPackets)
        course = isOneOfSeveral ? RunDigest() : nil
        self.countsPackets = countsPackets
        self.checks = checks
        self.file = file
    }

    mutating func read(_ event: RunEvent) {
        digest.read(event)
        if let happening = event.happening { course?.read(happening) }
        checks.read(event)
        figures.read(event)
        file?.append(event)
        witness?(event)
        observer?.read(event)
    }

    mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        digest.read(packets: packets)
        checks.read(packets: packets)
        if countsPackets { figures.read(packets: packets) }
        observer?.read(packets: packets)
    }

    mutating func read(windows: [CongestionWindow]) {
        figures.read(windows: windows)
        observer?.read(windows: windows)
    }

    /// What hints at a scenario that means something else than it says.
    var oddities: OddityBook { figures.oddities }

    /// Writes a mark about the packets so far, if there were any since the last mark.
    mutating func mark(at moment: Instant) {
        guard digest.packetCount > markedPackets else { return }
        markedPackets = digest.packetCount
        read(RunEvent(at: moment, .packets(digest.packetMark)))
    }

    /// Returns the report of a complete log, which lies in the folder if there is one.
    func model(mustFail: String?, log folder: RunFolder?) -> ReportModel {
        var model = ReportModel(
            figures, verdicts: checks.verdicts(), mustFail: mustFail, digest: digest.text,
            reading: { folder?.eachEvent($0) })
        model.program = .current
        model.course = course?.text
        model.packetCourse = course.map { _ in digest.packetMark.digest }
        return model
    }
}

extension RunEvent {
    /// The event without digests of packets; `nil` if it states the plan.
    fileprivate var happening: RunEvent? {
        switch fact {
        case .run(.began), .device(.stands), .device(.diskStands), .link(.planned), .link(.shared),
            .network(.interface):
            nil
        case .packets(let mark):
            RunEvent(at: at, .packets(PacketMark(packets: mark.packets, digest: 0)))
        default: self
        }
    }
}
