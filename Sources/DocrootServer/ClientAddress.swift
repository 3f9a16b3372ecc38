/// The IPv4 address of a client, in both worlds.
package struct ClientAddress: Hashable, Sendable {
    package let number: UInt32

    package init(_ number: UInt32) { self.number = number }

    /// Parses four numbers with dots between them; `nil` for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var number: UInt32 = 0
        for part in parts {
            // A leading zero is octal to some readers and decimal to others.
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

/// A network of addresses, such as `10.0.0.0/8`, or a single address.
package struct ClientNetwork: Hashable, Sendable {
    package let address: ClientAddress
    /// The number of bits that its addresses share.
    package let prefix: Int

    /// Makes a network. Bits of the address after the prefix are ignored.
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
