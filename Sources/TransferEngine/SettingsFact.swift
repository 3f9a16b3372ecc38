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
