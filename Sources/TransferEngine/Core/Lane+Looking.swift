import Quantities

/// How a lane examines files: the source that it sends, the part of a download that is here, and
/// the file that would be overwritten.
extension Lane {
    mutating func begin(
        _ transfer: TransferRecord, at now: Instant, into wanted: inout [AttemptOutput]
    ) {
        precondition(phase == .idle, "a lane carries one transfer at a time")
        lastActivity = now
        _ = perform(wire.firstLook(for: transfer), transfer, into: &wanted)
    }

    /// Continues after a file was inspected. `mustSave` is true if the store refused the last
    /// change of the record: bytes are sent only where the next launch would find them (S8).
    mutating func inspected(
        _ inspection: SourceInspection, _ transfer: inout TransferRecord, mustSave: Bool,
        into wanted: inout [AttemptOutput]
    ) -> Need? {
        guard case .looking(let purpose) = phase else { return nil }
        switch (inspection, purpose) {
        case (.missing, .target):
            return perform(GetDialogue.lookForPart(of: transfer), transfer, into: &wanted)
        case (.missing, .source) where wire.isDownload:
            transfer.resource = nil
            source = .nothing
            return begin(&transfer, mustSave: mustSave, into: &wanted)
        case (.missing, _): return .fail(.noSuchFile)
        case (.notARegularFile, _): return .fail(.notARegularFile)
        case (.regularFile(let fingerprint), .target):
            let target = Source(fingerprint)
            source = target
            return perform(wire.found(target, of: transfer), transfer, into: &wanted)
        case (.regularFile(let fingerprint), _):
            source = Source(fingerprint)
            if let coverage = wire.coverage {
                return perform(
                    .look(at: transfer.source, coverage, for: .source), transfer, into: &wanted)
            }
            return begin(&transfer, mustSave: mustSave, into: &wanted)
        }
    }

    /// Continues after a file was examined.
    mutating func examined(
        _ examination: SourceExamination, _ transfer: inout TransferRecord, mustSave: Bool,
        into wanted: inout [AttemptOutput]
    ) -> Need? {
        guard case .looking(let purpose) = phase, let known = source else { return nil }
        guard case .regularFile(let fingerprint, let value) = examination else {
            return hasNothingToExamine(examination, purpose, transfer, into: &wanted)
        }
        // Edited between the two looks: the next attempt finds out how.
        guard fingerprint == known.state else { return .fail(.diskRead) }
        switch purpose {
        case .source, .target:
            source?.digest = wire.coverage.map { SourceDigest($0, value) }
            return begin(&transfer, mustSave: mustSave, into: &wanted)
        case .comparison(let object):
            let file = Source(fingerprint, digest: SourceDigest(.whole, value))
            let step = wire.compared(file, with: object, &transfer, source: known)
            return perform(step, transfer, into: &wanted)
        }
    }

    private mutating func hasNothingToExamine(
        _ examination: SourceExamination, _ purpose: LookPurpose, _ transfer: TransferRecord,
        into wanted: inout [AttemptOutput]
    ) -> Need? {
        switch examination {
        // The file that would have been overwritten is gone.
        case .missing where wire.isDownload:
            perform(GetDialogue.lookForPart(of: transfer), transfer, into: &wanted)
        case .missing: .fail(.noSuchFile)
        case .notARegularFile: .fail(.notARegularFile)
        case .unreadable, .regularFile: .fail(.diskRead)
        }
    }

    private mutating func begin(
        _ transfer: inout TransferRecord, mustSave: Bool, into wanted: inout [AttemptOutput]
    ) -> Need? {
        guard let source else { preconditionFailure("a transfer begins with a look at its file") }
        let step = wire.begin(&transfer, source: source, into: &wanted)
        if mustSave, case .ask = step { return .save(then: step) }
        return perform(step, transfer, into: &wanted)
    }
}
