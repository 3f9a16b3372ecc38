/// How the files of a session go, as its app wants it (A15).
public struct TransferSettings: Hashable, Sendable, Codable {
    /// What becomes of a file that has a namesake where it goes to.
    public var overwrite: OverwritePolicy
    /// When a file that was cut off goes on from where it was.
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

/// How fast a session's files are to go, in bits per second. It is kept for the paced transport:
/// over HTTP TCP sets the rate.
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

/// How a session shares its way with others.
public enum RatePolicy: String, Hashable, Sendable, Codable, CaseIterable {
    case fixed, high, fair, low
}

/// What is done with a target that stands already.
public enum OverwritePolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// It stays, and the transfer fails (error 42).
    case never
    case always
    /// Where it has another size or another content; otherwise there is nothing to do.
    case ifDifferent = "diff"
    /// Where it is older than the source.
    case ifOlder = "older"
    case ifDifferentAndOlder = "diff+older"
}

/// By what a source is known to be what it was when its upload began.
///
/// A download goes on where the server says by a validator that the object is what it was (B12),
/// whatever is asked of a source; and with `none` it never does.
public enum ResumePolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// Always from byte 0.
    case none
    /// By its size and its date, which an edit can leave as they were.
    case attributes
    /// By these and by some of its blocks.
    case sparseChecksum = "sparse checksum"
    /// By its size and all of its bytes: a new date on them is no change.
    case fullChecksum = "full checksum"
}
