package import Foundation
import Live
import Quantities
import Recording

/// A folder of flows over time, the kernel's and the simulator's: a line for each tenth of a
/// second, to see where the two worlds begin to differ.
package struct FlowTraces: Sendable {
    private let folder: URL

    package init(folder: URL) throws(RunFailure) {
        self.folder = folder
        try folder.createFolder(option: "--trace")
    }

    func write(_ flow: KernelFlow, of task: FidelityTask) throws(RunFailure) {
        var rows = [Self.columns + ",window,threshold,unacknowledged,rtt_us,retransmissions,phase"]
        for (index, sample) in flow.book.samples.enumerated() {
            var row = Self.row(sample, of: flow.book)
            if flow.states.indices.contains(index) {
                let state = flow.states[index]
                row +=
                    ",\(state.window),\(state.threshold),\(state.unacknowledged),"
                    + "\(state.roundTripMicroseconds),\(state.retransmissions),\(state.phase)"
            }
            rows.append(row)
        }
        rows += flow.counters.map { "# \($0.name) \($0.value)" }
        rows.append(Self.losses(of: flow.book))
        try write(rows, to: task, world: "kernel")
    }

    func write(simulated book: BulkFlowBook, of task: FidelityTask) throws(RunFailure) {
        let rows = [Self.columns] + book.samples.map { Self.row($0, of: book) }
        try write(rows + [Self.losses(of: book)], to: task, world: "simulated")
    }

    private static let columns = "seconds,acknowledged,data_packets,losses,queue_drops"

    private static func row(_ sample: BulkFlowBook.Sample, of book: BulkFlowBook) -> String {
        let elapsed = sample.at - (book.start ?? .start)
        return "\(elapsed.seconds),\(sample.acknowledged),\(sample.dataPackets),\(sample.losses),"
            + "\(sample.queueDrops)"
    }

    /// Returns the times of the pattern's losses, in seconds.
    private static func losses(of book: BulkFlowBook) -> String {
        let moments = book.losses.map { "\(($0 - (book.start ?? .start)).seconds)" }
        return "# losses at \(moments.joined(separator: " "))"
    }

    private func write(
        _ rows: [String], to task: FidelityTask, world: String
    ) throws(RunFailure) {
        try Data((rows.joined(separator: "\n") + "\n").utf8).write(
            into: folder, as: "\(task.cell.name)-\(task.pattern)-\(world).csv", option: "--trace")
    }
}
