import DocrootServer

/// Which clients are meant, in the words of a file: `10.0.0.7` or `10.0.0.0/8`.
enum ClientWords: Hashable {
    case network(ClientNetwork)
    /// It is none; perhaps this was meant.
    case mistake(meant: String?)

    static func read(_ text: String) -> ClientWords {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = ClientAddress(String(parts[0])) else {
            return .mistake(meant: guess(text))
        }
        guard parts.count == 2 else { return .network(ClientNetwork(address)) }
        guard let prefix = Int(parts[1]), (0...32).contains(prefix), "\(prefix)" == parts[1] else {
            return .mistake(meant: nil)
        }
        let network = ClientNetwork(address, prefix: prefix)
        // Whether the prefix or the address is too long nobody can know.
        guard network.address == address else { return .mistake(meant: "\(network)") }
        return .network(network)
    }

    /// A name, a port behind the address, stars for its last numbers.
    private static func guess(_ text: String) -> String? {
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
