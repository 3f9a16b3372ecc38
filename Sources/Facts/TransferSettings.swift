/// An app's settings for the files of a session (A15).
public struct TransferSettings: Hashable, Sendable, Codable {
    /// What to do if the target exists.
    public var overwrite: OverwritePolicy
    /// When an interrupted file is resumed.
    public var resume: ResumePolicy
    public var rate: RateWish

    public init(
        overwrite: OverwritePolicy = .ifDifferent, resume: ResumePolicy = .sparseChecksum,
        rate: RateWish = RateWish()
    ) {
        self.overwrite = overwrite
        self.resume = resume
        self.rate = rate
    }

    var sentence: String {
        "overwrites \(overwrite.rawValue), resumes by \(resume.rawValue), "
            + "\(rate.policy.rawValue) rate of \(rate.target) bit/s, at least "
            + "\(rate.minimum) bit/s"
    }
}

/// The rate of a session's files in bits per second. Only the paced transport uses it; over HTTP,
/// TCP sets the rate.
public struct RateWish: Hashable, Sendable, Codable {
    public var policy: RatePolicy
    public var target: UInt64
    public var minimum: UInt64

    public init(policy: RatePolicy = .fair, target: UInt64 = 10_000_000, minimum: UInt64 = 0) {
        self.policy = policy
        self.target = target
        self.minimum = minimum
    }
}

/// How a session shares the network with other sessions.
public enum RatePolicy: String, Hashable, Sendable, Codable, CaseIterable {
    case fixed, high, fair, low
}

/// What to do if the target exists.
public enum OverwritePolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// Keep the target; the transfer fails (error 42).
    case never
    case always
    /// Overwrite a target that differs in size or content.
    case ifDifferent = "diff"
    /// Overwrite a target that is older than the source.
    case ifOlder = "older"
    case ifDifferentAndOlder = "diff+older"
}

/// How to check that the source is unchanged since its upload began.
///
/// A download is resumed if the server's validator shows that the object is unchanged (B12), with
/// any policy except `none`.
public enum ResumePolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// Always start at byte 0.
    case none
    /// Compare size and date, which an edit may leave unchanged.
    case attributes
    /// Compare size, date and some blocks.
    case sparseChecksum = "sparse checksum"
    /// Compare size and all bytes, but not the date.
    case fullChecksum = "full checksum"
}
