import RunLog

/// The disk faults of a run's phones, which excuse lost changes.
struct DiskTroubles: Sendable {
    private var all: Set<Trouble> = []

    private struct Trouble: Hashable, Sendable {
        var device: UInt16?
        var step: DiskStep
    }

    var isEmpty: Bool { all.isEmpty }

    // any order: whether there is one
    var refuseChanges: Bool { all.contains { $0.step != .readsFail } }

    mutating func read(_ step: DiskStep, of device: UInt16?) {
        switch step {
        case .full, .writesFail, .readsFail: all.insert(Trouble(device: device, step: step))
        case .hasSpace: all.remove(Trouble(device: device, step: .full))
        case .writesWork: all.remove(Trouble(device: device, step: .writesFail))
        case .readsWork: all.remove(Trouble(device: device, step: .readsFail))
        }
    }
}
