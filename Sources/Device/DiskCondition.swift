/// The condition of a phone's disk, and which operations it allows.
///
///                 read     write in place   grow         create, sync, delete
///     sound       ✓        ✓                ✓            ✓
///     full        ✓        ✓                no space     ✓
///     writes fail ✓        write fails      write fails  write fails
///     reads fail  read     ✓                ✓            ✓
///                 fails
package struct DiskCondition: Hashable, Sendable {
    /// Whether other data takes all free space.
    package private(set) var isFull = false
    package private(set) var writesFail = false
    package private(set) var readsFail = false

    package init() {}

    /// A change of the condition.
    package enum Change: Hashable, Sendable {
        case full(Bool)
        case writesFail(Bool)
        case readsFail(Bool)

        /// The changes that repair everything.
        package static let healing: [Change] = [
            .full(false), .writesFail(false), .readsFail(false),
        ]

        /// Whether the change makes the disk worse.
        package var breaks: Bool {
            switch self {
            case .full(let isWorse), .writesFail(let isWorse), .readsFail(let isWorse): isWorse
            }
        }
    }

    /// An operation on a file. Names and sizes of files can always be read.
    package enum Operation: Hashable, Sendable, CaseIterable {
        case read
        /// Overwriting existing bytes, truncating, or setting a date.
        case writeInPlace
        case grow
        case create, sync, delete
    }

    package mutating func take(_ change: Change) {
        switch change {
        case .full(let isFull): self.isFull = isFull
        case .writesFail(let writesFail): self.writesFail = writesFail
        case .readsFail(let readsFail): self.readsFail = readsFail
        }
    }

    package func refusal(of operation: Operation) -> DiskRefusal? {
        switch operation {
        case .read: readsFail ? .readFails : nil
        case .grow: writesFail ? .writeFails : isFull ? .noSpace : nil
        case .writeInPlace, .create, .sync, .delete: writesFail ? .writeFails : nil
        }
    }
}

/// Why a disk refuses an operation.
package enum DiskRefusal: Error, Hashable, Sendable {
    case noSpace
    case readFails
    case writeFails

    package var words: String {
        switch self {
        case .noSpace: "the disk has no room for more"
        case .readFails: "the disk cannot be read"
        case .writeFails: "the disk takes no write"
        }
    }
}
