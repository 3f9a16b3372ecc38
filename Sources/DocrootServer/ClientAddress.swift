/// Where a client is, as its packets say: an IPv4 address, in both worlds.
package struct ClientAddress: Hashable, Sendable {
    package let number: UInt32

    package init(_ number: UInt32) { self.number = number }

    /// Four numbers with dots between them; `nil` if the text is anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var number: UInt32 = 0
        for part in parts {
            // A zero in front would be read as octal by some, and as decimal by others.
            guard let byte = UInt8(part), "\(byte)" == part else { return nil }
            number = number << 8 | UInt32(byte)
        }
        self.number = number
    }
}

extension ClientAddress: CustomStringConvertible {
    package var description: String {
        [24, 16, 8, 0].map { "\(number >> $0 & 0xff)" }.joined(separator: ".")
    }
}

/// Addresses that begin with the same bits: `10.0.0.0/8`, or one alone.
package struct ClientNetwork: Hashable, Sendable {
    package let address: ClientAddress
    /// How many bits they have in common.
    package let prefix: Int

    /// What stands behind the prefix in the address does not count.
    package init(_ address: ClientAddress, prefix: Int = 32) {
        precondition((0...32).contains(prefix), "a prefix of \(prefix) bits")
        self.address = ClientAddress(address.number & Self.mask(prefix))
        self.prefix = prefix
    }

    package func contains(_ client: ClientAddress) -> Bool {
        client.number & Self.mask(prefix) == address.number
    }

    private static func mask(_ prefix: Int) -> UInt32 {
        prefix == 0 ? 0 : UInt32.max << (32 - prefix)
    }
}

extension ClientNetwork: CustomStringConvertible {
    package var description: String { prefix == 32 ? "\(address)" : "\(address)/\(prefix)" }
}
