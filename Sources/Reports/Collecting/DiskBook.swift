import Quantities
import RunLog

/// The times of disk faults.
struct DiskBook: Sendable {
    private var disks: [Disk] = []

    private struct Disk: Sendable {
        /// The phone; `nil` is the first one.
        var device: UInt16?
        var troubles: [DiskStep] = []
        var spans = LaneBook()
    }

    mutating func read(_ fact: DeviceFact, at now: Instant) {
        guard case .disk(let step, let device) = fact else { return }
        let place = disks.firstIndex { $0.device == device } ?? disks.endIndex
        if place == disks.endIndex { disks.append(Disk(device: device)) }
        let trouble = Self.trouble(step)
        disks[place].troubles.removeAll { $0 == trouble }
        if trouble == step { disks[place].troubles.append(step) }
        guard !disks[place].troubles.isEmpty else { return disks[place].spans.end(at: now) }
        let label = disks[place].troubles.map(Self.label).joined(separator: ", ")
        disks[place].spans.begin(.faulty, label, at: now)
    }

    func lanes(until end: Instant, _ names: RunNames) -> [Timeline.Lane] {
        disks.map { disk in
            disk.spans.lane(.disk, title: "Disk" + names.ofPhone(disk.device), until: end)
        }
    }

    /// Returns the fault that this step begins or ends.
    private static func trouble(_ step: DiskStep) -> DiskStep {
        switch step {
        case .full, .hasSpace: .full
        case .writesFail, .writesWork: .writesFail
        case .readsFail, .readsWork: .readsFail
        }
    }

    private static func label(_ trouble: DiskStep) -> String {
        switch trouble {
        case .full: "full"
        case .writesFail: "writes fail"
        case .readsFail: "reads fail"
        case .hasSpace, .writesWork, .readsWork: ""
        }
    }
}
