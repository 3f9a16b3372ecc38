/// An app's settings for the files of a session (A15).
public struct TransferSettings: Hashable, Sendable, Codable {
    /// What to do if the target exists.
    public var overwrite: OverwritePolicy
    /// When an interrupted file is resumed.
    public var resume: ResumePolicy
    public var rate: RateWish
    public var transport: TransferTransport

    public init(
        overwrite: OverwritePolicy = .ifDifferent, resume: ResumePolicy = .sparseChecksum,
        rate: RateWish = RateWish(), transport: TransferTransport = .http
    ) {
        self.overwrite = overwrite
        self.resume = resume
        self.rate = rate
        self.transport = transport
    }

    var sentence: String {
        "overwrites \(overwrite.rawValue), resumes by \(resume.rawValue), "
            + "\(rate.policy.rawValue) rate of \(rate.target) bit/s, at least "
            + "\(rate.minimum) bit/s"
            + (transport == .http ? "" : ", by \(transport.rawValue)")
    }
}

/// Written without a transport as before there were two, so that old recordings are read.
extension TransferSettings {
    private enum Key: String, CodingKey { case overwrite, resume, rate, transport }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        overwrite = try values.decode(OverwritePolicy.self, forKey: .overwrite)
        resume = try values.decode(ResumePolicy.self, forKey: .resume)
        rate = try values.decode(RateWish.self, forKey: .rate)
        transport =
            try values.decodeIfPresent(TransferTransport.self, forKey: .transport) ?? .http
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(overwrite, forKey: .overwrite)
        try values.encode(resume, forKey: .resume)
        try values.encode(rate, forKey: .rate)
        if transport != .http { try values.encode(transport, forKey: .transport) }
    }
}

/// How the files of a session travel.
public enum TransferTransport: String, Hashable, Sendable, Codable, CaseIterable {
    /// HTTP over TCP.
    case http
    /// HTTP over the paced transport, which uses UDP and keeps to the rates of the settings. The
    /// session fails where UDP does not pass.
    case paced
    /// Paced, and over TCP where UDP does not pass or the server does not offer it.
    case pacedOrHTTP = "paced or http"
}

/// The rate of a session's files in bits per second. Only the paced transport uses it; over TCP,
/// the network sets the rate.
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
