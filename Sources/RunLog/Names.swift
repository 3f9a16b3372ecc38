/// The names by which one event refers to what another event was about.
///
/// They are plain numbers in the log; a type each keeps a session from being taken for a transfer.

/// A session of a transfer queue; people count sessions from 1 in the order they were accepted.
package struct SessionName: Hashable, Sendable, Codable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
}

/// One file's way from here to there, through all attempts and restarts.
package struct TransferName: Hashable, Sendable, Codable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
}

/// A connection of an app: the app's launch, and the connection's number within it.
package struct ConnectionName: Hashable, Sendable, Codable {
    package var launch: UInt32
    package var number: UInt32
    package init(launch: UInt32, number: UInt32) {
        self.launch = launch
        self.number = number
    }
}

/// An upload resource of the server, as its URL names it.
package struct ResourceName: Hashable, Sendable, Codable {
    package var path: String
    package init(_ path: String) { self.path = path }
}

extension SessionName: CustomStringConvertible {
    package var description: String { "session \(number)" }
    package init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(UInt64.self)
    }
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

extension TransferName: CustomStringConvertible {
    package var description: String { "transfer \(number)" }
    package init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(UInt64.self)
    }
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

extension ConnectionName: CustomStringConvertible {
    package var description: String { "connection \(launch).\(number)" }
}

extension ResourceName: CustomStringConvertible {
    package var description: String { path }
    package init(from decoder: any Decoder) throws {
        path = try decoder.singleValueContainer().decode(String.self)
    }
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(path)
    }
}
