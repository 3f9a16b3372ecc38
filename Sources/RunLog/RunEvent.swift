@_exported public import Facts
package import Quantities

/// Something that happened in a run: the unit of the log, and the only input of checks and reports.
package struct RunEvent: Hashable, Sendable {
    package var at: Instant
    /// The app concerned, counted from 1 in the plan's order; `nil` for the first app, or for no
    /// app.
    package var app: UInt16?
    package var fact: Fact

    package typealias Fact = Facts.Fact

    package init(at: Instant, app: UInt16? = nil, _ fact: Fact) {
        self.at = at
        self.app = app
        self.fact = fact
    }
}

extension RunEvent: CustomStringConvertible {
    package var description: String { line(RunNames()) }

    /// `40 ms  “drawing”, queue: the app starts the queue`
    package func line(_ names: RunNames) -> String {
        let whose = names.app(app).map { "\($0), " } ?? ""
        return "\(at)  \(whose)\(fact.subject): \(fact.sentence(names))"
    }

    /// Returns the event in words, with its app: `“drawing”: the app starts the queue`.
    package func sentence(_ names: RunNames) -> String {
        (names.app(app).map { "\($0): " } ?? "") + fact.sentence(names)
    }
}

/// `{"at":40096000,"queue":{"callback":{"session":1,…}}}`: the moment, the app unless it is the
/// first, and one subject.
extension RunEvent: Codable {
    private enum Key: CodingKey { case at, app }

    private enum Subject: String, CodingKey, CaseIterable {
        case run, file, link, device, network, queue, operations, entries, background, shown
        case daemon, engine, store, connection, server, packets
    }

    package init(from decoder: any Decoder) throws {
        let frame = try decoder.container(keyedBy: Key.self)
        at = try frame.decode(Instant.self, forKey: .at)
        app = try frame.decodeIfPresent(UInt16.self, forKey: .app)
        let container = try decoder.container(keyedBy: Subject.self)
        guard let subject = container.allKeys.first else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "no subject is known"))
        }
        func content<Content: Decodable>() throws -> Content {
            try container.decode(Content.self, forKey: subject)
        }
        fact =
            switch subject {
            case .run: .run(try content())
            case .file: .file(try content())
            case .link: .link(try content())
            case .device: .device(try content())
            case .network: .network(try content())
            case .queue: .queue(try content())
            case .operations: .operations(try content())
            case .entries: .entries(try content())
            case .background: .background(try content())
            case .shown: .shown(try content())
            case .daemon: .daemon(try content())
            case .engine: .engine(try content())
            case .store: .store(try content())
            case .connection: .connection(try content())
            case .server: .server(try content())
            case .packets: .packets(try content())
            }
    }

    package func encode(to encoder: any Encoder) throws {
        var frame = encoder.container(keyedBy: Key.self)
        try frame.encode(at, forKey: .at)
        try frame.encodeIfPresent(app, forKey: .app)
        guard let subject = Subject(stringValue: fact.subject) else {
            preconditionFailure("“\(fact.subject)” is no key")
        }
        var container = encoder.container(keyedBy: Subject.self)
        try container.encode(fact.content, forKey: subject)
    }
}
