package import Quantities

/// A narrow place in the path that says nothing: packets above its MTU vanish (the black hole of
/// RFC 2923 §2.1).
package struct SizeLimit: Sendable {
    private let limit: UInt64

    package init(_ limit: ByteCount) { self.limit = limit.bytes }

    package func accept(_ size: Int) -> StageVerdict {
        UInt64(size) > limit ? .drop(.tooLarge) : .pass
    }
}
