package import Quantities

/// A silent MTU limit in the path: larger packets vanish (the black hole of RFC 2923 §2.1).
package struct SizeLimit: Sendable {
    private let limit: UInt64

    package init(_ limit: ByteCount) { self.limit = limit.bytes }

    package func accept(_ size: Int) -> StageVerdict {
        UInt64(size) > limit ? .drop(.tooLarge) : .pass
    }
}
