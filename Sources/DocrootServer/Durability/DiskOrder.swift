package import Quantities

/// The order of disk operations for an upload. A loss of power at any moment loses nothing that was
/// promised, and exposes no partial object. Both worlds carry out these steps.
///
/// A resumable upload `7` consists of its bytes `7` and its record `7.upload`. A record without
/// bytes belongs to an upload that was published: the rename that exposed the object took the
/// bytes.
package struct DiskOrder: Sendable {
    private let precautions: Set<Precaution>
    /// The steps before written bytes of an upload are acknowledged.
    ///
    /// A file's length proves nothing: it may grow on the disk before the new bytes are there.
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

    /// A wait for the disk, with the loss that it prevents.
    package enum Precaution: Hashable, Sendable, CaseIterable {
        /// A mark beside bytes that are not there.
        case bytesBeforeMark
        /// Bytes that nobody knows to be good.
        case mark
        /// A record without bytes, as a published upload has it.
        case bytesBeforeRecord
        /// A torn record.
        case record
        /// No record.
        case recordName
        /// Bytes gone before the record, as for a published upload.
        case recordGoneBeforeBytes
        /// A torn object, or one with another's version.
        case objectBeforeName
        /// The return of the old object.
        case objectName
        /// An object without its folder, whoever made that.
        case folderName
        /// A torn counter.
        case counter
        /// A counter that goes back, so that numbers are given twice.
        case counterName
    }

    package init(taking precautions: Set<Precaution>) {
        self.precautions = precautions
        confirmation =
            (precautions.contains(.bytesBeforeMark) ? [.bytes] : []) + [.mark]
            + (precautions.contains(.mark) ? [.bytes] : [])
    }

    /// Everything that is acknowledged survives a loss of power.
    package static let durable = DiskOrder(taking: Set(Precaution.allCases))
    /// Speed instead of durability.
    package static let fast = DiskOrder(taking: [])

    package var isDurable: Bool { !precautions.isEmpty }

    /// Remembers an upload; `isNew` if no bytes of it are on the disk. A published upload has none.
    package func keep(_ record: UploadRecord, isNew: Bool) -> [DiskStep] {
        let id = record.id
        var steps: [DiskStep] = []
        if isNew, record.publication == nil {
            steps.append(.make(.staged(id)))
            steps += wait(.synchroniseWorkshop, .bytesBeforeRecord)
        }
        steps.append(.write(.newRecord(id), record.line))
        steps += wait(.synchronise(.newRecord(id)), .record)
        steps.append(.rename(.newRecord(id), to: .record(id)))
        return steps + wait(.synchroniseWorkshop, .recordName)
    }

    /// Publishes an upload: readers see the old content or the new, never a part.
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
        // Another folder may have taken its place, and asking costs nothing.
        return steps + settle(object.parent)
    }

    /// Makes a folder in an existing one. Other clients that use it at once wait for its name
    /// themselves.
    package func makeFolder(_ path: ObjectPath) -> [DiskStep] {
        [.makeFolder(path)] + settle(path)
    }

    /// Makes a folder and all folders above it survive a loss of power.
    package func settle(_ folder: ObjectPath) -> [DiskStep] {
        (folder.folders + [folder]).flatMap { wait(.settleFolder($0), .folderName) }
    }

    /// Removes an upload and everything that is left of it.
    package func discard(_ upload: UploadID, isKept: Bool) -> [DiskStep] {
        guard isKept else { return [.remove(.staged(upload))] }
        return [.remove(.record(upload))]
            + wait(.synchroniseWorkshop, .recordGoneBeforeBytes) + [.remove(.staged(upload))]
    }

    /// Spends all numbers up to this one, so that none is given again.
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
