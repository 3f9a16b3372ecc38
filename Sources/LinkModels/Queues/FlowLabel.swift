/// The flow of a packet and the flow's host, by which fair queues share a link.
package struct FlowLabel: Hashable, Sendable {
    let number: UInt16
    let host: UInt16

    package init(_ number: UInt16 = 0, host: UInt16 = 0) {
        self.number = number
        self.host = host
    }

    /// Returns a number below `count` by a hash of the flow's number, which depends on the salt.
    func hashed(salt: UInt64, below count: Int) -> Int {
        var mixed = (UInt64(number) ^ salt) &* 0xbf58_476d_1ce4_e5b9
        mixed ^= mixed >> 31
        return Int(mixed % UInt64(count))
    }
}
