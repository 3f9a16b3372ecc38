import RunLog
import TransferEngine

extension TargetKept {
    init(_ kept: KeptTarget) {
        self =
            switch kept {
            case .same: .same
            case .notOlder: .notOlder
            }
    }
}

extension ResumeBlindSpot {
    init(_ spot: BlindSpot) {
        self =
            switch spot {
            case .attributes: .attributes
            case .samples: .samples
            }
    }
}

extension SessionSettings {
    init(_ settings: TransferSettings) {
        let overwrite: Overwrite =
            switch settings.overwrite {
            case .never: .never
            case .always: .always
            case .ifDifferent: .diff
            case .ifOlder: .older
            case .ifDifferentAndOlder: .diffAndOlder
            }
        let resume: Resume =
            switch settings.resume {
            case .none: .none
            case .attributes: .attributes
            case .sparseChecksum: .sparseChecksum
            case .fullChecksum: .fullChecksum
            }
        self.init(
            overwrite: overwrite, resume: resume, ratePolicy: settings.rate.policy.rawValue,
            targetBitsPerSecond: settings.rate.target,
            minimumBitsPerSecond: settings.rate.minimum)
    }
}
