package import Quantities

/// Something that happened in a run: the unit of the log, and all that checks and reports ever see.
package struct RunEvent: Hashable, Sendable, Codable {
    package var at: Instant
    package var fact: Fact

    /// What happened, by subject; each subject has a file of its own.
    package enum Fact: Hashable, Sendable, Codable {
        case run(RunFact)
        case file(FileFact)
        case link(LinkFact)
        case device(DeviceFact)
        case queue(QueueFact)
        case engine(EngineFact)
        case store(StoreFact)
        case connection(ConnectionFact)
        case server(ServerFact)
        case packets(PacketMark)
    }

    package init(at: Instant, _ fact: Fact) {
        self.at = at
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
        case .queue: "queue"
        case .engine: "engine"
        case .store: "store"
        case .connection: "connection"
        case .server: "server"
        case .packets: "packets"
        }
    }

    /// The fact as a person would say it.
    package var sentence: String {
        switch self {
        case .run(let fact): fact.sentence
        case .file(let fact): fact.sentence
        case .link(let fact): fact.sentence
        case .device(let fact): fact.sentence
        case .queue(let fact): fact.sentence
        case .engine(let fact): fact.sentence
        case .store(let fact): fact.sentence
        case .connection(let fact): fact.sentence
        case .server(let fact): fact.sentence
        case .packets(let mark): mark.sentence
        }
    }
}

extension RunEvent: CustomStringConvertible {
    package var description: String { "\(at)  \(fact.subject): \(fact.sentence)" }
}
