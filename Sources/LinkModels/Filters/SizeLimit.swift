package import Quantities

/// The largest packet that a link lets pass: its MTU.
package struct SizeLimit: Hashable, Sendable {
    package var size: ByteCount
    package var told: Told

    /// How senders learn of a limit, with names in the scenario language.
    package enum Told: String, Hashable, Sendable, CaseIterable {
        /// The limit is that of the hosts' interfaces, and their SYNs say so.
        case byInterface = "by-interface"
        /// A router drops larger packets, and says so to their senders (RFC 1191).
        case byRouter = "by-router"
        /// Larger packets vanish without a word: the black hole of RFC 2923 §2.1.
        case never
    }

    package init(_ size: ByteCount, told: Told = .byInterface) {
        self.size = size
        self.told = told
    }

    func accept(_ size: Int) -> StageVerdict {
        UInt64(size) > self.size.bytes ? .drop(.tooLarge) : .pass
    }
}
