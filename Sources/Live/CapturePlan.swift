package import Quantities

/// What of a server's traffic is captured, and where it goes.
package struct CapturePlan: Hashable, Sendable {
    package var file: String
    /// Of longer frames only so much is kept.
    package var snapLength: Int
    /// More than this the file does not hold; `nil`: as much as there is.
    package var limit: ByteCount?

    /// Enough for the heads of TCP and HTTP; bodies are known without looking at them.
    package init(file: String, snapLength: Int = 512, limit: ByteCount? = nil) {
        self.file = file
        self.snapLength = snapLength
        self.limit = limit
    }

    /// Where clients of this address come through: whoever is on this machine comes by loopback
    /// even to an address of another interface.
    static func interface(for address: String) -> String {
        address.hasPrefix("127.") ? "lo" : "any"
    }
}
