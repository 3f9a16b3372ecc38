import Facts
import Quantities
import Recording
import RunLog
import RunPlan

/// A flow of the grid in the simulator, over the same link with the same losses as the kernel's.
enum SimulatedFlow {
    /// Any seed: it changes only the initial sequence number, and no figure.
    private static let seed: UInt64 = 1
    /// The kernel's buffers in `KernelSettings`; in `tcp_rmem`, a segment of 1448 bytes takes 2304.
    private static let receiveWindow = ByteCount(40 << 20)
    private static let sendBuffer = ByteCount(64 << 20)
    private static let step = TimeSpan.seconds(1)

    /// Returns `nil` if the simulator has no such controller.
    static func play(_ task: FidelityTask) -> BulkFlowBook? {
        guard let tcp = task.cell.controller.simulated else { return nil }
        let plan = task.cell.plan(pattern: task.pattern)
        var transfer = BulkTransfer(
            uplink: plan.uplink, downlink: plan.downlink,
            tcp: TCPSettings(
                controller: tcp, receiveWindow: receiveWindow, sendBuffer: sendBuffer),
            seed: seed)
        transfer.open()
        var reader = BookKeeper(book: BulkFlowBook(pattern: plan.losses, limit: plan.limit))
        var moment = Instant.start
        while !reader.book.isOver {
            moment = moment + step
            _ = transfer.play(until: moment, into: &reader)
            reader.book.advance(to: moment)
        }
        return reader.book
    }

    /// Reads from the log what the emulator reads from its packets.
    private struct BookKeeper: RunLogReader {
        var book: BulkFlowBook
        /// The number of losses before the latest sent packet.
        private var lossesBefore = 0

        init(book: BulkFlowBook) { self.book = book }

        mutating func read(_ event: RunEvent) {}

        mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
            for record in packets { read(record) }
        }

        private mutating func read(_ record: PacketRecord) {
            let now = Instant(nanoseconds: record.atNanoseconds)
            switch (record.link, record.kind) {
            case (0, .sent):
                if record.flags.contains(.syn) { book.opened(with: record.sequence) }
                lossesBefore = book.losses.count
                book.sent(carriesData: record.payload > 0, at: now)
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
