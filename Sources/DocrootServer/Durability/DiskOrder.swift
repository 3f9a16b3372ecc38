package import Quantities

/// In which order an upload comes to a disk, so that a loss of power at any moment takes nothing
/// that was promised, and shows nothing that is not whole. Both worlds carry out these steps.
///
/// An upload `7` that may be resumed is `7`, its bytes, and `7.upload`, its record. A record
/// without bytes is an upload that was published: the rename that showed the object has taken them.
package struct DiskOrder: Sendable {
    private let precautions: Set<Precaution>
    /// What follows when bytes of an upload were written, and are to be acknowledged.
    ///
    /// A file may have grown on the disk before its new bytes are there; its length proves nothing.
    package let confirmation: [Confirmation]

    package enum Confirmation: Hashable, Sendable {
        case bytes, mark

        package func step(_ upload: UploadID, _ total: ByteCount) -> DiskStep {
            switch self {
            case .bytes: .synchronise(.staged(upload))
            case .mark: .mark(upload, total)
            }
        }
    }

    /// A wait for the disk, by what would be lost without it.
    package enum Precaution: Hashable, Sendable, CaseIterable {
        /// The mark would stand beside bytes that are not there.
        case bytesBeforeMark
        /// The bytes would be there, and nobody would know that they are good.
        case mark
        /// The record would stand without bytes, as that of a published upload does.
        case bytesBeforeRecord
        /// The record would be torn.
        case record
        /// There would be no record.
        case recordName
        /// The bytes would be gone before the record is, as those of a published upload are.
        case recordGoneBeforeBytes
        /// The object would be torn, or have the version of another.
        case objectBeforeName
        /// The old object would come back.
        case objectName
        /// The object's folder would be gone, whoever has made it.
        case folderName
        /// The counter would be torn.
        case counter
        /// The counter would go back, and numbers would be given twice.
        case counterName
    }

    package init(taking precautions: Set<Precaution>) {
        self.precautions = precautions
        confirmation =
            (precautions.contains(.bytesBeforeMark) ? [.bytes] : []) + [.mark]
            + (precautions.contains(.mark) ? [.bytes] : [])
    }

    /// What is acknowledged survives a loss of power.
    package static let durable = DiskOrder(taking: Set(Precaution.allCases))
    /// For those who want speed instead.
    package static let fast = DiskOrder(taking: [])

    package var isDurable: Bool { !precautions.isEmpty }

    /// Remembers an upload; `isNew`: nothing of it is on the disk so far.
    package func keep(_ record: UploadRecord, isNew: Bool) -> [DiskStep] {
        let id = record.id
        var steps: [DiskStep] = []
        if isNew {
            steps.append(.make(.staged(id)))
            steps += wait(.synchroniseWorkshop, .bytesBeforeRecord)
        }
        steps.append(.write(.newRecord(id), record.line))
        steps += wait(.synchronise(.newRecord(id)), .record)
        steps.append(.rename(.newRecord(id), to: .record(id)))
        return steps + wait(.synchroniseWorkshop, .recordName)
    }

    /// Shows an upload as an object: readers see the old content or the new, never a part.
    package func publish(_ upload: UploadID, as object: ObjectPath) -> [DiskStep] {
        var steps: [DiskStep] = []
        for folder in object.folders {
            steps.append(.makeFolder(folder))
            steps += wait(.settleFolder(folder), .folderName)
        }
        steps.append(.stamp(upload, for: object))
        steps += wait(.synchronise(.staged(upload)), .objectBeforeName)
        steps.append(.rename(.staged(upload), to: .object(object)))
        steps += wait(.synchroniseFolder(object.parent), .objectName)
        // Another folder may have taken the place of one, which costs nothing to ask.
        return steps + settle(object.parent)
    }

    /// Makes a folder in one that stands. Others may put something into it as soon as it is seen,
    /// and will wait for its name themselves.
    package func makeFolder(_ path: ObjectPath) -> [DiskStep] {
        [.makeFolder(path)] + settle(path)
    }

    /// Sees to it that a folder stands after a loss of power, too, and all that it lies in.
    package func settle(_ folder: ObjectPath) -> [DiskStep] {
        (folder.folders + [folder]).flatMap { wait(.settleFolder($0), .folderName) }
    }

    /// Forgets an upload, and takes away what is left of it.
    package func discard(_ upload: UploadID, isKept: Bool) -> [DiskStep] {
        guard isKept else { return [.remove(.staged(upload))] }
        return [.remove(.record(upload))]
            + wait(.synchroniseWorkshop, .recordGoneBeforeBytes) + [.remove(.staged(upload))]
    }

    /// Sees to it that no number up to here is given again.
    package func spend(_ number: UInt64, of counter: CounterName) -> [DiskStep] {
        [.write(.newCounter(counter), "\(number)")]
            + wait(.synchronise(.newCounter(counter)), .counter)
            + [.rename(.newCounter(counter), to: .counter(counter))]
            + wait(.synchroniseWorkshop, .counterName)
    }

    private func wait(_ step: DiskStep, _ precaution: Precaution) -> [DiskStep] {
        precautions.contains(precaution) ? [step] : []
    }
}
