import Content
import Facts
import Protocols
import Quantities

/// The loss of the machine's power, at once or in the middle of what its disk does.
///
/// A rule with a count of steps lets requests go on. The world tells when the steps are spent, and
/// carries out nothing more of the process.
extension DocrootServer {
    /// Applies a rule that takes the power; returns whether the request goes on.
    mutating func losePower(by index: Int, on id: ServerConnectionID?) -> Bool {
        guard case .losePower(let steps, let pause) = faults.rules[index].rule.fault else {
            preconditionFailure("\(faults.rules[index].rule.fault) is no loss of power")
        }
        guard restartedBy == nil else {
            tell(index, "the server is down already", on: id)
            endSwitching(index)
            return false
        }
        guard let steps else {
            tell(index, "\(ServerFact.powerFails)\(Self.outage(pause))", on: id)
            endWithoutPower(by: index, for: pause)
            return false
        }
        guard faults.failing == nil else {
            tell(index, "the power is failing already", on: id)
            endSwitching(index)
            return true
        }
        let count = steps == 1 ? "1 more disk step" : "\(steps) more disk steps"
        tell(index, "the power will fail\(Self.outage(pause)) after \(count)", on: id)
        faults.fail(by: index)
        outputs.append(.failPower(after: steps))
        return true
    }

    private static func outage(_ pause: TimeSpan) -> String {
        pause == .zero ? "" : " for \(pause)"
    }

    /// Ends the process, as the disk has spent the steps that were left.
    mutating func powerFailed() {
        guard let index = faults.lastToFail,
            case .losePower(_, let pause) = faults.rules[index].rule.fault
        else { preconditionFailure("the power failed without a rule") }
        faults.stopFailing()
        // The power may fail while the next process comes up.
        if let earlier = restartedBy {
            restartedBy = nil
            endSwitching(earlier)
        }
        note(
            .fault(
                faults.rules[index].rule.name, connection: nil, client: nil, request: nil,
                effect: "\(ServerFact.hasNoPower)\(Self.outage(pause))"))
        endWithoutPower(by: index, for: pause)
    }

    private mutating func endWithoutPower(by index: Int, for pause: TimeSpan) {
        var atRisk = atRisk
        // any order: each is looked up by its number
        for upload in uploads.values where upload.stage != .published {
            atRisk[upload.id] = AtRisk(name: upload.name, isResumable: upload.isResumable)
        }
        endProcess(by: index, keepsStaging: true)
        self.atRisk = atRisk
        outputs.append(.losePower(for: pause))
    }

    /// An upload that was unfinished when the power failed.
    struct AtRisk: Hashable, Sendable {
        let name: ResourceName
        let isResumable: Bool
    }

    // MARK: What the next process finds

    /// Whether the server knows an upload.
    package func knows(_ upload: UploadID) -> Bool { uploads[upload] != nil }

    /// Tells which uploads the disk has not kept.
    mutating func tellLost() {
        guard !atRisk.isEmpty else { return }
        let missing = atRisk.filter { $0.value.isResumable && uploads[$0.key] == nil }
        for (_, upload) in missing.sorted(by: { $0.key.number < $1.key.number }) {
            note(.discarded(upload.name, why: ServerFact.lostWithPower))
        }
        // Only uploads of which the disk has no record may still turn out to be published.
        atRisk = atRisk.filter { !$0.value.isResumable }
    }

    /// Tells of an object that stands, although the process that published it did not live to tell.
    mutating func foundPublished(_ id: UploadID, _ object: ObjectPath, _ content: [ContentRange]) {
        guard let name = uploads[id]?.name ?? atRisk[id]?.name else { return }
        atRisk[id] = nil
        let version = versions[object.text, default: 0] + 1
        versions[object.text] = version
        note(.published(name, object: object.text, version: version, content))
    }
}
