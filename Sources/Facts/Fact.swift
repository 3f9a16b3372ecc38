/// Something that happened, by subject; each subject has its own file. The log keeps facts as they
/// are.
///
/// Facts are copied often, and the largest case sets the size of all. Rare facts that hold much are
/// `indirect`.
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
    case shown(ShownFact)
    case daemon(DaemonFact)
    case engine(EngineFact)
    case store(StoreFact)
    case connection(ConnectionFact)
    case server(ServerFact)
    case packets(PacketMark)
}

extension Fact {
    /// Whether this is the last fact of a run.
    package var endsRun: Bool { if case .run(.ended) = self { true } else { false } }

    /// The name of the subject in the log.
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
        case .shown: "shown"
        case .daemon: "daemon"
        case .engine: "engine"
        case .store: "store"
        case .connection: "connection"
        case .server: "server"
        case .packets: "packets"
        }
    }

    /// The fact itself, which follows the subject in the log.
    package var content: any Encodable {
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
        case .shown(let fact): fact
        case .daemon(let fact): fact
        case .engine(let fact): fact
        case .store(let fact): fact
        case .connection(let fact): fact
        case .server(let fact): fact
        case .packets(let mark): mark
        }
    }

    /// The API whose use the fact reports; `nil` for other subjects.
    package var facade: Facade? {
        switch self {
        case .queue: .queue
        case .operations: .operations
        case .entries: .bucket
        case .background: .background
        case .run, .file, .link, .device, .network, .shown, .daemon, .engine, .store, .connection,
            .server, .packets:
            nil
        }
    }

    /// Whether the fact concerns a single app; without a name it is the first app.
    package var concernsOneApp: Bool {
        switch self {
        case .run, .link, .network, .server, .packets, .daemon: false
        case .file, .queue, .operations, .entries, .background, .shown, .engine, .store,
            .connection:
            true
        case .device(let fact): fact.concernsOneApp
        }
    }

    package var sentence: String { sentence(RunNames()) }

    /// Returns the fact as a sentence, with these names of apps and phones.
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
        case .shown(let fact): fact.sentence
        case .daemon(let fact): fact.sentence(names)
        case .engine(let fact): fact.sentence
        case .store(let fact): fact.sentence
        case .connection(let fact): fact.sentence
        case .server(let fact): fact.sentence
        case .packets(let mark): mark.sentence
        }
    }
}
