/// A digest of an object's whole content (RFC 9530): `Repr-Digest: sha-256=:…:`.
package enum ReprDigest: Hashable, Sendable {
    case sha256([UInt8])
    /// A digest of the ranges of a simulated object, which has no bytes to read.
    case ranges(UInt64)

    /// The field that asks for a digest. Without it, reading the whole object would be a waste.
    package static let wanted = ("Want-Repr-Digest", "sha-256=10")

    package static func isWanted(by head: HTTPRequestHead) -> Bool {
        let wishes = (head.fields[wanted.0] ?? "").split(separator: ",")
        return wishes.contains { wish in
            let words = wish.split { " =".contains($0) }
            return words.count == 2 && words[0] == "sha-256" && words[1] != "0"
        }
    }

    package var field: (String, String) {
        let (name, bytes): (String, [UInt8]) =
            switch self {
            case .sha256(let bytes): ("sha-256", bytes)
            case .ranges(let mark):
                ("ranges", (0..<8).map { UInt8(truncatingIfNeeded: mark >> (56 - 8 * $0)) })
            }
        return ("Repr-Digest", "\(name)=:\(Base64.encode(bytes)):")
    }

    /// Parses the first digest in an answer that is understood.
    package init?(of head: HTTPResponseHead) {
        for member in (head.fields["Repr-Digest"] ?? "").split(separator: ",") {
            let words = member.split(separator: "=", maxSplits: 1)
                .map { $0.trimmingBlanks }
            guard words.count == 2, words[1].count > 2, words[1].first == ":",
                words[1].last == ":",
                let bytes = Base64.decode(String(words[1].dropFirst().dropLast()))
            else { continue }
            switch (words[0], bytes.count) {
            case ("sha-256", 32): self = .sha256(bytes)
            case ("ranges", 8): self = .ranges(Self.mark(of: bytes))
            default: continue
            }
            return
        }
        return nil
    }

    /// The digest's first eight bytes, which suffice for a comparison.
    package var mark: UInt64 {
        switch self {
        case .sha256(let bytes): Self.mark(of: bytes)
        case .ranges(let mark): mark
        }
    }

    private static func mark(of bytes: [UInt8]) -> UInt64 {
        bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}
