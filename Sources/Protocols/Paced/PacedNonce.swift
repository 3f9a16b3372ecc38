/// Sixteen bytes that one side of a session never uses again: so the keys of a session are new even
/// if the other side repeats itself.
public struct PacedNonce: Hashable, Sendable, Encodable {
    private let high: UInt64
    private let low: UInt64

    static let field = "Paced-Nonce"

    /// A nonce of a process that has this identity, which is random, and counts its sessions.
    package init(identity: UInt64, count: UInt64) {
        (high, low) = (identity, count)
    }

    /// Reads thirty-two hexadecimal digits.
    init?(_ text: String) {
        guard text.utf8.count == 32, let high = UInt64(hexDigits: text.prefix(16)),
            let low = UInt64(hexDigits: text.suffix(16))
        else { return nil }
        (self.high, self.low) = (high, low)
    }

    var text: String { high.hexDigits + low.hexDigits }

    package var bytes: [UInt8] {
        [high, low].flatMap { half in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) }
        }
    }
}

extension UInt64 {
    /// Sixteen hexadecimal digits.
    package var hexDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Reads sixteen hexadecimal digits.
    init?(hexDigits text: some StringProtocol) {
        guard text.utf8.count == 16, text.allSatisfy(\.isHexDigit) else { return nil }
        self.init(text, radix: 16)
    }
}
