/// An item of an app: a session of its queue, an upload operation, a task of a background session
/// or a resumable transfer. Each kind is counted from 1, in the order of acceptance.
public struct ItemName: Hashable, Sendable, Codable {
    public var facade: Facade
    public var number: UInt64

    public init(_ number: UInt64, of facade: Facade = .queue) {
        self.facade = facade
        self.number = number
    }
}

/// The APIs for transfers. The raw value is the word for one item.
public enum Facade: String, Hashable, Sendable, Codable, CaseIterable {
    case queue = "session"
    case operations = "operation"
    case background = "task"
    case bucket = "transfer"
}

/// The transfer of one file, through all attempts and restarts. The transfer of a background task
/// has the task's number; each launch counts the paths of its persistent sessions.
package struct TransferName: Hashable, Sendable, Codable {
    package var facade: Facade
    package var number: UInt64

    package init(_ number: UInt64, of facade: Facade = .queue) {
        self.facade = facade
        self.number = number
    }
}

/// A connection of an app: the app's launch, and the connection's number in the launch. A
/// connection of the transfer daemon has launch 0.
package struct ConnectionName: Hashable, Sendable, Codable {
    package var launch: UInt32
    package var number: UInt32
    package init(launch: UInt32, number: UInt32) {
        self.launch = launch
        self.number = number
    }
}

/// An upload resource of the server, named by its path.
package struct ResourceName: Hashable, Sendable, Codable {
    package var path: String
    package init(_ path: String) { self.path = path }
}

/// In JSON a session of the queue is its number, and any other item is text like `"operation 2"`.
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

    /// Names a path of a persistent session. Each launch counts its paths anew.
    package init(path: UInt64, ofLaunch launch: UInt32) {
        precondition(path < 1 << Self.pathBits, "no process has \(path) paths")
        self.init(UInt64(launch) << Self.pathBits | path)
    }

    /// Returns the path with another launch; `nil` if the name is no path.
    package func path(ofLaunch launch: UInt32) -> TransferName? {
        guard facade == .queue, number >> Self.pathBits != 0 else { return nil }
        return TransferName(path: number & (1 << Self.pathBits - 1), ofLaunch: launch)
    }

    /// The bits of the path number. Launch and path fit a number that any JSON reader can hold.
    private static let pathBits: UInt64 = 32

    package init(from decoder: any Decoder) throws {
        let item = try ItemName(from: decoder)
        self.init(item)
    }
    package func encode(to encoder: any Encoder) throws { try item.encode(to: encoder) }

    /// Names the only transfer of an item.
    package init(_ item: ItemName) { self.init(item.number, of: item.facade) }

    /// The item with the same number.
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
