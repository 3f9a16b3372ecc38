public import Quantities

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

    /// By which sessions went that were enqueued before they could have any.
    static let beforeThereWereAny = TransferSettings(overwrite: .always, resume: .attributes)
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

    /// Why no transport could go by it.
    var refusal: RateRefusal? {
        if target == 0 { return .targetOfZero }
        // The store's numbers have a sign.
        if target > UInt64(Int64.max) { return .targetOutOfReach(target) }
        return minimum > target ? .minimumAboveTarget(minimum, target: target) : nil
    }
}

/// How a session shares its way with others.
public enum RatePolicy: String, Hashable, Sendable, Codable, CaseIterable {
    case fixed, high, fair, low
}

/// Why rates are not taken: nothing has changed, and the app learns what to do.
public enum RateRefusal: Error, Hashable, Sendable, Encodable {
    case targetOfZero
    case targetOutOfReach(UInt64)
    case minimumAboveTarget(UInt64, target: UInt64)

    public var message: String {
        switch self {
        case .targetOfZero:
            "a target rate of 0 moves nothing: set a higher one, or pause the session"
        case .targetOutOfReach(let target):
            "no line has a rate of \(target) bit/s: set a target rate of at most \(Int64.max) bit/s"
        case .minimumAboveTarget(let minimum, let target):
            "the minimum rate, \(minimum) bit/s, is above the target rate, \(target) bit/s: set "
                + "one that is not"
        }
    }
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

    /// How much of a source is read to know it again.
    var coverage: SourceCoverage? {
        switch self {
        case .none, .attributes: nil
        case .sparseChecksum: .samples
        case .fullChecksum: .whole
        }
    }
}

/// How much of a file a digest of it is of.
public enum SourceCoverage: String, Hashable, Sendable, Codable {
    case whole
    /// Some blocks, spread over it from its beginning to its end; of a small file that is all.
    case samples

    public static let sampleCount: UInt64 = 16
    public static let sampleSize: UInt64 = 4096

    /// Where samples are read of a file of this size.
    public static func samples(of size: ByteCount) -> [Range<UInt64>] {
        guard size.bytes > sampleCount * sampleSize else { return [0..<size.bytes] }
        let last = size.bytes - sampleSize
        return (0..<sampleCount).map { number in
            // Multiplied last: the product of a long file's size would be too large.
            let start = last / (sampleCount - 1) * number
            let place = number == sampleCount - 1 ? last : start
            return place..<place + sampleSize
        }
    }
}

/// A digest of a source, and of how much of it.
public struct SourceDigest: Hashable, Sendable, Codable {
    public var coverage: SourceCoverage
    public var value: UInt64

    public init(_ coverage: SourceCoverage, _ value: UInt64) {
        self.coverage = coverage
        self.value = value
    }
}

/// What a source was found to be.
struct Source: Hashable, Sendable {
    var fingerprint: SourceFingerprint
    /// As far as it was looked into.
    var digest: SourceDigest?

    static let nothing = Source(fingerprint: SourceFingerprint(size: .zero, modified: 0))
}

extension ResumePolicy {
    /// Whether an upload that began with `known` may go on with what its source is now.
    func holds(_ known: TransferRecord, for source: Source) -> Bool {
        switch self {
        case .none: false
        case .attributes: known.fingerprint == source.fingerprint
        case .sparseChecksum: known.fingerprint == source.fingerprint && isSame(known, source)
        case .fullChecksum:
            known.fingerprint?.size == source.fingerprint.size && isSame(known, source)
        }
    }

    /// Of digests of two kinds nothing can be said.
    private func isSame(_ known: TransferRecord, _ source: Source) -> Bool {
        known.digest?.coverage == coverage && known.digest == source.digest
    }

    var blindSpot: ResumeBlindSpot? {
        switch self {
        case .none, .fullChecksum: nil
        case .attributes: .attributes
        case .sparseChecksum: .samples
        }
    }
}
