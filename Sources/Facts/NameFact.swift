package import Quantities

/// A family of addresses.
package enum AddressFamily: String, Hashable, Sendable, Codable, CaseIterable {
    case ipv6, ipv4

    package var name: String {
        switch self {
        case .ipv6: "IPv6"
        case .ipv4: "IPv4"
        }
    }
}

/// How phones find the addresses of their server.
package struct NameTerms: Hashable, Sendable, Codable {
    package var host: String
    /// The families in which the server has an address.
    package var addresses: [AddressFamily]
    /// The time for which an answer may be used.
    package var keep: TimeSpan
    /// The flow number of questions and answers in packet records.
    package var flow: UInt16

    package init(host: String, addresses: [AddressFamily], keep: TimeSpan, flow: UInt16) {
        self.host = host
        self.addresses = addresses
        self.keep = keep
        self.flow = flow
    }

    package var sentence: String {
        "\(host) has an address in \(addresses.map(\.name).joined(separator: " and in ")); an "
            + "answer may be used for \(keep)"
    }
}

/// A question for the server's addresses of a family, asked over an interface.
package struct NameQuestion: Hashable, Sendable, Codable {
    package var interface: UInt16
    package var family: AddressFamily

    package init(interface: UInt16, family: AddressFamily) {
        self.interface = interface
        self.family = family
    }

    package var sentence: String {
        "the server's \(family.name) address, over interface \(interface)"
    }
}

/// What a phone has learnt from a question.
package enum NameAnswer: String, Hashable, Sendable, Codable, CaseIterable {
    case address
    /// The name has no address of this family.
    case noAddress = "no address"
    /// The name does not exist (NXDOMAIN).
    case notFound = "not found"
    /// The resolver could not find out (SERVFAIL).
    case serverFailure = "server failure"
    /// Nobody answered in time, however often the phone asked.
    case silence = "no answer"

    package var sentence: String {
        switch self {
        case .address: "found"
        case .noAddress: "none: the server has no such address"
        case .notFound: "not found: the name does not exist"
        case .serverFailure: "not found: the resolver failed"
        case .silence: "given up without an answer"
        }
    }
}
