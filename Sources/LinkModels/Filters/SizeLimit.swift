import Quantities

/// A silent MTU limit in the path: larger packets vanish (the black hole of RFC 2923 §2.1).
struct SizeLimit: Sendable {
    let limit: ByteCount

    func accept(_ size: Int) -> StageVerdict {
        UInt64(size) > limit.bytes ? .drop(.tooLarge) : .pass
    }
}
