import Facts
import LinkModels
import Quantities
import Recording
import RunLog
import RunPlan

/// A flow of the grid in the simulator, over the same link with the same losses as the kernel's.
struct SimulatedFlow {
    let book: BulkFlowBook
    private let timeouts: Int
    private let leftSlowStartAt: TimeSpan?

    /// How often the kernel's state is looked at, too.
    private static let step = TimeSpan.milliseconds(100)

    /// Plays the flow; `nil` if the simulator has no such controller.
    init?(_ task: FidelityTask) {
        guard let controller = task.cell.controller.simulated else { return nil }
        let plan = task.cell.plan(pattern: task.pattern)
        var transfer = BulkTransfer(
            uplink: Self.late(plan.uplink), downlink: Self.late(plan.downlink),
            tcp: TCPSettings(controller, plan),
            others: CrossTraffic(streams: plan.others.map { [.init(.uplink, $0)] } ?? []),
            seed: plan.seed)
        transfer.open(conversing: plan.conversation)
        var reader = BookKeeper(book: BulkFlowBook(pattern: plan.losses, limit: plan.limit))
        var moment = Instant.start
        var leftAt: TimeSpan?
        while !reader.book.isOver {
            if moment.sinceStart == plan.rivalBegin { transfer.open() }
            moment = moment + Self.step
            _ = transfer.play(until: moment, into: &reader)
            reader.book.advance(to: moment)
            if leftAt == nil, transfer.hasLeftSlowStart { leftAt = moment.sinceStart }
        }
        book = reader.book
        timeouts = transfer.timeouts
        leftSlowStartAt = leftAt
    }

    /// The emulator hands packets on some microseconds late, half of them by 10 to 20 µs. Without
    /// that, packets arrive at a queue in the very moment in which others leave it, and one more
    /// finds room.
    private static func late(_ plan: LinkPlan) -> LinkPlan {
        var plan = plan
        plan.filters.append(.jitter(.uniform(.microseconds(30))))
        return plan
    }

    var figures: FlowFigures {
        FlowFigures(
            book, timeouts: UInt64(timeouts), slowStartSeconds: leftSlowStartAt.map(\.inTenths))
    }

    /// Reads from the log what the emulator reads from its packets.
    private struct BookKeeper: RunLogReader {
        var book: BulkFlowBook
        /// The flow's number in the log; packets of others have another.
        private static let flow: UInt16 = 0
        /// The number of losses before the latest sent packet.
        private var lossesBefore = 0

        init(book: BulkFlowBook) { self.book = book }

        mutating func read(_ event: RunEvent) {}

        mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
            for record in packets { read(record) }
        }

        private mutating func read(_ record: PacketRecord) {
            guard record.flow == Self.flow else { return }
            let now = Instant(nanoseconds: record.atNanoseconds)
            switch (record.link, record.kind) {
            case (0, .sent):
                if record.flags.contains(.syn) { book.opened(with: record.sequence) }
                lossesBefore = book.losses.count
                book.sent(record.sequence, payload: Int(record.payload), at: now)
            case (0, .dropped):
                // A drop directly follows its packet, and is due to the pattern or to the queue.
                if book.losses.count == lossesBefore { book.foundNoRoom() }
            case (_, .sent):
                if record.flags.contains(.ack) {
                    book.acknowledged(to: record.acknowledgement, at: now)
                }
            case (_, .delivered), (_, .dropped), (_, .duplicated), (_, .captured): break
            }
        }
    }
}

extension TCPSettings {
    /// The settings of `KernelSettings`.
    fileprivate init(_ controller: Controller, _ plan: BulkFlowPlan) {
        self.init(controller: controller, writes: plan.writes)
        guard plan.buffers == .ample else { return }
        // In `tcp_rmem`, a segment of 1448 bytes takes 2304.
        receiveWindow = ByteCount(40 << 20)
        sendBuffer = ByteCount(64 << 20)
    }
}

extension FidelityCell.Controller {
    /// The simulator's name for it.
    fileprivate var simulated: TCPSettings.Controller? {
        switch self {
        case .reno: .newReno
        case .cubic: .cubic
        case .bbr: TCPSettings.Controller(rawValue: rawValue)
        }
    }
}
