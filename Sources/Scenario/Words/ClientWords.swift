import DocrootServer

/// Reads the clients of a rule: `10.0.0.7` or `10.0.0.0/8`.
extension PlacedText {
    func client(_ expectation: String) -> ClientNetwork? {
        func refuse(meant: String?) -> ClientNetwork? {
            self.refuse(
                "“\(text)” is not a client's address", expected: expectation,
                suggestion: meant.map { "“\($0)”" })
        }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = ClientAddress(String(parts[0])) else {
            return refuse(meant: meantClients)
        }
        guard parts.count == 2 else { return ClientNetwork(address) }
        guard let prefix = Int(parts[1]), (0...32).contains(prefix), "\(prefix)" == parts[1] else {
            return refuse(meant: nil)
        }
        let network = ClientNetwork(address, prefix: prefix)
        // Either the prefix or the address is too long.
        return network.address == address ? network : refuse(meant: "\(network)")
    }

    /// The probable intention: a name, a port after the address, or stars for the last numbers.
    private var meantClients: String? {
        if text == "localhost" { return "127.0.0.1" }
        let colon = text.split(separator: ":", omittingEmptySubsequences: false)
        if colon.count == 2, let address = ClientAddress(String(colon[0])) { return "\(address)" }
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
        let known = numbers.prefix { $0 != "*" }
        guard (1...3).contains(known.count), numbers.count <= 4,
            numbers[known.count...].allSatisfy({ $0 == "*" })
        else { return nil }
        let padding = Array(repeating: "0", count: 4 - known.count)
        let address = ClientAddress((known.map(String.init) + padding).joined(separator: "."))
        return address.map { "\($0)/\(8 * known.count)" }
    }
}
