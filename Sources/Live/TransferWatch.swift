import RunLog
import RunPlan

/// Knows from the app's events whether any of its resumable transfers is still under way: one that
/// is suspended waits for somebody.
struct TransferWatch {
    private let app: AppPlan
    private var transfersBefore: UInt64
    /// Those that have an entry.
    private var listed: Set<ItemName> = []
    /// Those that the app has made in this launch, and so can ask for again: also what was refused.
    private var made: Set<ItemName> = []
    private var ongoing: Set<ItemName> = []
    /// Those that the app starts, or goes on with, for what it has heard: its events have not said
    /// so yet.
    private var owed: Set<ItemName> = []

    init(_ app: AppPlan, transfersBefore: UInt64) {
        self.app = app
        self.transfersBefore = transfersBefore
    }

    /// `launch` counts from the first on which the app found nothing of its own.
    mutating func launched(_ launch: UInt32) { owe(app.stepsOnTransfers(onLaunch: launch)) }

    /// What it has started is suspended when the next launch finds it (K4).
    mutating func appEnded() {
        ongoing = []
        owed = []
        made = []
    }

    mutating func dataCleared(transfersBefore: UInt64) {
        self.transfersBefore = transfersBefore
        listed = []
        appEnded()
    }

    /// `own` is the number of a session in its app's script.
    mutating func read(_ event: RunEvent, own: (ItemName) -> ItemName) {
        switch event.fact {
        case .queue(.callback(let session, .didDeactivate(.completed))):
            owe(app.commands(on: .completed(own(session))))
        case .queue(.callback(let session, .didDeactivate(.failed))):
            owe(app.commands(on: .failed(own(session))))
        case .engine(.accepts(let transfer, _, _)) where transfer.facade == .bucket:
            listed.insert(transfer)
            made.insert(transfer)
            owed.remove(transfer)
        // Gone with a store that was damaged.
        case .store(.setAside(_, _, let kept, _)):
            let lost = listed.subtracting(kept)
            listed.subtract(lost)
            owed.subtract(lost)
        case .entries(.asked(let transfer, .transfer)):
            owed.remove(transfer)
            ongoing.insert(transfer)
        case .entries(.asked): break
        case .entries(.refused(let transfer, _, _)):
            made.insert(transfer)
            owed.remove(transfer)
        case .entries(.callback(let transfer, let callback)): hear(callback, of: transfer)
        case .entries(.held): break
        default: break
        }
    }

    var isIdle: Bool { ongoing.isEmpty && owed.isEmpty }

    private mutating func hear(_ callback: EntryCallback, of transfer: ItemName) {
        let own = ItemName(transfer.number - transfersBefore, of: .bucket)
        switch callback {
        case .ongoing: ongoing.insert(transfer)
        case .progress: break
        case .suspended:
            ongoing.remove(transfer)
            owe(app.commands(on: .suspended(own)))
        case .completed:
            end(transfer)
            owe(app.commands(on: .completed(own)))
        case .ended:
            end(transfer)
            owe(app.commands(on: .failed(own)))
        }
    }

    private mutating func end(_ transfer: ItemName) {
        listed.remove(transfer)
        ongoing.remove(transfer)
    }

    private mutating func owe(_ commands: [AppPlan.Command]) {
        for case .transfer(let step, let number) in commands {
            let transfer = ItemName(UInt64(number) + transfersBefore, of: .bucket)
            switch step {
            case .started: owed.insert(transfer)
            // Of one of an earlier launch that has no entry there is nothing to go on with.
            case .resumed:
                if listed.contains(transfer) || made.contains(transfer) { owed.insert(transfer) }
            case .suspended, .terminated: break
            }
        }
    }
}
