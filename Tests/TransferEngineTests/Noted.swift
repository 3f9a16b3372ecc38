import Content
import Protocols
import TransferEngine

extension EngineOutput {
    /// What it notes, if that is all.
    var fact: Fact? {
        switch self {
        case .note(let note), .attempt(.note(let note)): note.fact
        default: nil
        }
    }

    /// What it notes of an attempt or a move.
    var engineFact: EngineFact? {
        if case .engine(let fact)? = fact { fact } else { nil }
    }

    /// The head of the request that it writes, and on which connection.
    var request: (connection: ConnectionID, head: HTTPRequestHead)? {
        if case .attempt(let wanted) = self { wanted.request } else { nil }
    }
}

extension AttemptOutput {
    var engineFact: EngineFact? {
        if case .note(let note) = self, case .engine(let fact) = note.fact { fact } else { nil }
    }

    /// The head of the request that it writes, and on which connection.
    var request: (connection: ConnectionID, head: HTTPRequestHead)? {
        guard case .write(let connection, let pieces) = self, case .bytes(let bytes)? = pieces.first
        else { return nil }
        var reader = HTTPMessageReader<HTTPRequestHead>()
        guard let parts = try? reader.read([.bytes(bytes)]), case .head(let head)? = parts.first
        else { return nil }
        return (connection, head)
    }
}
