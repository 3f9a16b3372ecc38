public import Quantities

extension TransferSettings {
    /// Whether only the rates are others, or nothing is.
    func differ(inRateFrom others: TransferSettings) -> Bool {
        var same = self
        same.rate = others.rate
        return same == others
    }
}

extension RateWish {
    /// Why no transport could follow the rates.
    var refusal: RateRefusal? {
        if target == 0 { return .targetOfZero }
        // The store has signed integers.
        if target > UInt64(Int64.max) { return .targetOutOfReach(target) }
        return minimum > target ? .minimumAboveTarget(minimum, target: target) : nil
    }
}

extension ResumePolicy {
    /// How much of a source is read to recognise it.
    var coverage: SourceCoverage? {
        switch self {
        case .none, .attributes: nil
        case .sparseChecksum: .samples
        case .fullChecksum: .whole
        }
    }
}

/// Why rates are refused. Nothing has changed, and the app learns what to do.
public enum RateRefusal: Error, Hashable, Sendable, Codable {
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

/// The part of a file that a digest covers.
public enum SourceCoverage: String, Hashable, Sendable, Codable {
    case whole
    /// Blocks spread over the file from beginning to end. They cover a small file completely.
    case samples

    public static let sampleCount: UInt64 = 16
    public static let sampleSize: UInt64 = 4096

    /// Returns the sample ranges of a file of this size.
    public static func samples(of size: ByteCount) -> [Range<UInt64>] {
        guard size.bytes > sampleCount * sampleSize else { return [0..<size.bytes] }
        let last = size.bytes - sampleSize
        return (0..<sampleCount).map { number in
            // Multiplied last: the product with a long file's size would overflow.
            let start = last / (sampleCount - 1) * number
            let place = number == sampleCount - 1 ? last : start
            return place..<place + sampleSize
        }
    }
}

/// A digest of a source, and the part that it covers.
public struct SourceDigest: Hashable, Sendable, Codable {
    public var coverage: SourceCoverage
    public var value: UInt64

    public init(_ coverage: SourceCoverage, _ value: UInt64) {
        self.coverage = coverage
        self.value = value
    }
}

/// What an examination found of a source.
struct Source: Hashable, Sendable {
    /// The source as the attempt found it; bytes are sent only of this state.
    let state: SourceFingerprint
    /// A digest, if the source was read.
    var digest: SourceDigest?

    init(_ state: SourceFingerprint, digest: SourceDigest? = nil) {
        self.state = state
        self.digest = digest
    }

    /// What the record keeps of it.
    var fingerprint: SourceFingerprint { state.lasting }

    /// Whether the source was edited since, and its size and its date are as before.
    func wasEditedUnseen(_ found: SourceInspection?) -> Bool {
        guard case .regularFile(let now) = found else { return false }
        return now != state && now.lasting == state.lasting
    }

    static let nothing = Source(SourceFingerprint(size: .zero, modified: 0))
}

extension ResumePolicy {
    /// Whether an upload that began with `known` may go on with the source as it is now.
    func holds(_ known: TransferRecord, for source: Source) -> Bool {
        switch self {
        case .none: false
        case .attributes: known.fingerprint == source.fingerprint
        case .sparseChecksum: known.fingerprint == source.fingerprint && isSame(known, source)
        case .fullChecksum:
            known.fingerprint?.size == source.fingerprint.size && isSame(known, source)
        }
    }

    /// Whether what was noted when the upload began is enough for this policy.
    func canCompare(_ known: TransferRecord) -> Bool {
        switch self {
        case .none, .attributes: true
        case .sparseChecksum, .fullChecksum: known.digest?.coverage == coverage
        }
    }

    /// Digests of different coverage cannot be compared.
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
