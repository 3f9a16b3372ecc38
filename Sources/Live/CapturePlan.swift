package import Quantities

/// How much of a server's traffic is captured, and where the capture goes.
package struct CapturePlan: Hashable, Sendable {
    package var file: String
    /// The number of bytes kept of each frame.
    package var snapLength: Int
    /// The largest size of the file; `nil`: unlimited.
    package var limit: ByteCount?

    /// The default keeps the heads of TCP and HTTP. Bodies are known without them.
    package init(file: String, snapLength: Int = 512, limit: ByteCount? = nil) {
        self.file = file
        self.snapLength = snapLength
        self.limit = limit
    }

    /// The interface through which clients of an address come. Clients on this machine use loopback
    /// even for an address of another interface.
    static func interface(for address: String) -> String {
        address.hasPrefix("127.") ? "lo" : "any"
    }
}
