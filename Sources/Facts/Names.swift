/// The names by which one event refers to what another event was about.
///
/// They are plain numbers in the log; a type each keeps a session from being taken for a transfer.

/// What an app sees of its transfers: a session of its queue, an upload operation, a task of a
/// background session, a resumable transfer. People count each kind from 1, in the order in which
/// they were accepted.
public struct ItemName: Hashable, Sendable, Codable {
    public var facade: Facade
    public var number: UInt64

    public init(_ number: UInt64, of facade: Facade = .queue) {
        self.facade = facade
        self.number = number
    }
}

/// The ways in which an app can have its transfers done, by what each calls one of them.
public enum Facade: String, Hashable, Sendable, Codable, CaseIterable {
    case queue = "session"
    case operations = "operation"
    case background = "task"
    case bucket = "transfer"
}

/// One file's way from here to there, through all attempts and restarts. That of a background task
/// has the task's number; a path of a persistent session is counted by its launch.
package struct TransferName: Hashable, Sendable, Codable {
    package var facade: Facade
    package var number: UInt64

    package init(_ number: UInt64, of facade: Facade = .queue) {
        self.facade = facade
        self.number = number
    }
}

/// A connection of an app: the app's launch, and the connection's number within it. What the
/// transfer daemon opens for an app has no launch: it is number 0.
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

/// A session is its number, as those of the queue are the most; another is `"operation 2"`.
extension ItemName: CustomStringConvertible {
    public var description: String { "\(facade.rawValue) \(number)" }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(UInt64.self) {
            self.init(number)
            return
        }
        let words = try container.decode(String.self).split(separator: " ")
        guard words.count == 2, let facade = Facade(rawValue: String(words[0])),
            let number = UInt64(words[1])
        else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "neither a number nor, say, “operation 2”")
        }
        self.init(number, of: facade)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch facade {
        case .queue: try container.encode(number)
        case .operations, .background, .bucket: try container.encode(description)
        }
    }
}

extension TransferName: CustomStringConvertible {
    package var description: String {
        switch facade {
        case .queue:
            let launch = number >> Self.pathBits
            let count = number & (1 << Self.pathBits - 1)
            return launch == 0 ? "transfer \(number)" : "path \(launch).\(count)"
        case .operations, .background: return "the transfer of \(item)"
        case .bucket: return "the body of \(item)"
        }
    }

    /// A path ends with its process, and its number with it: the launch tells it from others.
    package init(path: UInt64, ofLaunch launch: UInt32) {
        precondition(path < 1 << Self.pathBits, "no process has \(path) paths")
        self.init(UInt64(launch) << Self.pathBits | path)
    }

    /// The same path, of another launch; `nil` is the name of what is no path.
    package func path(ofLaunch launch: UInt32) -> TransferName? {
        guard facade == .queue, number >> Self.pathBits != 0 else { return nil }
        return TransferName(path: number & (1 << Self.pathBits - 1), ofLaunch: launch)
    }

    /// Every number of both together is one that other languages can read from JSON, too.
    private static let pathBits: UInt64 = 32

    package init(from decoder: any Decoder) throws {
        let item = try ItemName(from: decoder)
        self.init(item)
    }
    package func encode(to encoder: any Encoder) throws { try item.encode(to: encoder) }

    /// That of an item which has one transfer, and shares its number with it.
    package init(_ item: ItemName) { self.init(item.number, of: item.facade) }

    /// Of the same number, which is how those beside the queue's are written.
    private var item: ItemName { ItemName(number, of: facade) }
}

extension ConnectionName: CustomStringConvertible {
    package var description: String {
        launch == 0 ? "connection \(number) of the daemon" : "connection \(launch).\(number)"
    }
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
