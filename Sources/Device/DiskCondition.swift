/// How a phone's disk is, whoever asks: its rules for what it takes and what it gives.
///
///                 read     write in place   grow         create, sync, delete
///     sound       ✓        ✓                ✓            ✓
///     full        ✓        ✓                no space     ✓
///     writes fail ✓        write fails      write fails  write fails
///     reads fail  read     ✓                ✓            ✓
///                 fails
package struct DiskCondition: Hashable, Sendable {
    /// Somebody else's data has taken all that was free.
    package private(set) var isFull = false
    package private(set) var writesFail = false
    package private(set) var readsFail = false

    package init() {}

    /// What becomes of it from one moment to the next.
    package enum Change: Hashable, Sendable {
        case full(Bool)
        case writesFail(Bool)
        case readsFail(Bool)

        /// All that there is to make good.
        package static let healing: [Change] = [
            .full(false), .writesFail(false), .readsFail(false),
        ]

        /// Whether there is less of a disk by it than before.
        package var breaks: Bool {
            switch self {
            case .full(let isWorse), .writesFail(let isWorse), .readsFail(let isWorse): isWorse
            }
        }
    }

    /// What somebody does to a file. The names of files and their sizes can always be asked for.
    package enum Operation: Hashable, Sendable, CaseIterable {
        case read
        /// Over what is there; a new date, or less of a file, is no more than that.
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

/// Why a disk does not do what it is asked.
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
