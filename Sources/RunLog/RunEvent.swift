package import Quantities

/// Something that happened in a run: the unit of the log, and all that checks and reports ever see.
package struct RunEvent: Hashable, Sendable {
    package var at: Instant
    /// Whose app it concerns, counted from 1 in the plan's order; `nil` is the first one, or what
    /// concerns no app.
    package var app: UInt16?
    package var fact: Fact

    /// What happened, by subject; each subject has a file of its own.
    package enum Fact: Hashable, Sendable {
        case run(RunFact)
        case file(FileFact)
        case link(LinkFact)
        case device(DeviceFact)
        case network(NetworkFact)
        case queue(QueueFact)
        case operations(OperationFact)
        case entries(EntryFact)
        case background(BackgroundFact)
        case daemon(DaemonFact)
        case engine(EngineFact)
        case store(StoreFact)
        case connection(ConnectionFact)
        case server(ServerFact)
        case packets(PacketMark)
    }

    package init(at: Instant, app: UInt16? = nil, _ fact: Fact) {
        self.at = at
        self.app = app
        self.fact = fact
    }
}

extension RunEvent.Fact {
    /// The lane of a timeline that this belongs to.
    package var subject: String {
        switch self {
        case .run: "run"
        case .file: "file"
        case .link: "link"
        case .device: "device"
        case .network: "network"
        case .queue: "queue"
        case .operations: "operations"
        case .entries: "entries"
        case .background: "background"
        case .daemon: "daemon"
        case .engine: "engine"
        case .store: "store"
        case .connection: "connection"
        case .server: "server"
        case .packets: "packets"
        }
    }

    /// What stands in the log behind the subject.
    var content: any Encodable {
        switch self {
        case .run(let fact): fact
        case .file(let fact): fact
        case .link(let fact): fact
        case .device(let fact): fact
        case .network(let fact): fact
        case .queue(let fact): fact
        case .operations(let fact): fact
        case .entries(let fact): fact
        case .background(let fact): fact
        case .daemon(let fact): fact
        case .engine(let fact): fact
        case .store(let fact): fact
        case .connection(let fact): fact
        case .server(let fact): fact
        case .packets(let mark): mark
        }
    }

    package var sentence: String { sentence(RunNames()) }

    /// The fact as a person would say it, who calls apps and phones by these names.
    package func sentence(_ names: RunNames) -> String {
        switch self {
        case .run(let fact): fact.sentence
        case .file(let fact): fact.sentence
        case .link(let fact): fact.sentence
        case .device(let fact): fact.sentence(names)
        case .network(let fact): fact.sentence(names)
        case .queue(let fact): fact.sentence
        case .operations(let fact): fact.sentence
        case .entries(let fact): fact.sentence
        case .background(let fact): fact.sentence
        case .daemon(let fact): fact.sentence(names)
        case .engine(let fact): fact.sentence
        case .store(let fact): fact.sentence
        case .connection(let fact): fact.sentence
        case .server(let fact): fact.sentence
        case .packets(let mark): mark.sentence
        }
    }
}

extension RunEvent: CustomStringConvertible {
    package var description: String { line(RunNames()) }

    /// `40 ms  “drawing”, queue: the app starts the queue`
    package func line(_ names: RunNames) -> String {
        let whose = names.app(app).map { "\($0), " } ?? ""
        return "\(at)  \(whose)\(fact.subject): \(fact.sentence(names))"
    }

    /// What happened, and to which app: `“drawing”: the app starts the queue`.
    package func sentence(_ names: RunNames) -> String {
        (names.app(app).map { "\($0): " } ?? "") + fact.sentence(names)
    }
}

/// `{"at":40096000,"queue":{"callback":{"session":1,…}}}`: the moment, whose app if it is not the
/// first, and one subject.
extension RunEvent: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case at, app, run, file, link, device, network, queue, operations, entries, background
        case daemon, engine, store, connection, server, packets
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        at = try container.decode(Instant.self, forKey: .at)
        app = try container.decodeIfPresent(UInt16.self, forKey: .app)
        guard let subject = container.allKeys.first(where: { $0 != .at && $0 != .app }) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "no subject is known"))
        }
        fact =
            switch subject {
            case .at, .app: preconditionFailure("neither the moment nor the app is a subject")
            case .run: .run(try container.decode(RunFact.self, forKey: subject))
            case .file: .file(try container.decode(FileFact.self, forKey: subject))
            case .link: .link(try container.decode(LinkFact.self, forKey: subject))
            case .device: .device(try container.decode(DeviceFact.self, forKey: subject))
            case .network: .network(try container.decode(NetworkFact.self, forKey: subject))
            case .queue: .queue(try container.decode(QueueFact.self, forKey: subject))
            case .operations:
                .operations(try container.decode(OperationFact.self, forKey: subject))
            case .entries: .entries(try container.decode(EntryFact.self, forKey: subject))
            case .background:
                .background(try container.decode(BackgroundFact.self, forKey: subject))
            case .daemon: .daemon(try container.decode(DaemonFact.self, forKey: subject))
            case .engine: .engine(try container.decode(EngineFact.self, forKey: subject))
            case .store: .store(try container.decode(StoreFact.self, forKey: subject))
            case .connection:
                .connection(try container.decode(ConnectionFact.self, forKey: subject))
            case .server: .server(try container.decode(ServerFact.self, forKey: subject))
            case .packets: .packets(try container.decode(PacketMark.self, forKey: subject))
            }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(at, forKey: .at)
        try container.encodeIfPresent(app, forKey: .app)
        guard let subject = Key(stringValue: fact.subject) else {
            preconditionFailure("“\(fact.subject)” is no key")
        }
        try container.encode(fact.content, forKey: subject)
    }
}
