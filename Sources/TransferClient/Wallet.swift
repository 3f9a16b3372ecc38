public import Content
import Protocols
import Quantities
import Synchronization
public import TransferEngine

/// The secrets of an app: a host fills them in where the engine names a credential.
///
/// A secret has a version, which grows with each change. Secrets never reach the engine, and so
/// neither its store nor its flights. Any thread may call its methods.
public final class Wallet: Sendable {
    private let content = Mutex(Content())

    private struct Content {
        /// Grows with each change of the entries.
        var edition = 0
        var entries: [CredentialHandle: Entry] = [:]
        /// Connections on which tokens are requested, with what has come of the answers.
        var readers: [ConnectionID: (handle: CredentialHandle, answer: TokenAnswer)] = [:]
    }

    private struct Entry {
        var secret: Secret
        /// Counts all values, of earlier secrets too.
        var version: UInt32
        /// The value of the `Authorization` field; `nil` if there is no token yet.
        var value: String?

        var state: CredentialState {
            CredentialState(
                version: value == nil ? 0 : version,
                length: value.map(ByteCount.init(ofUTF8:)) ?? .zero,
                renewal: secret.renewal.map(ByteCount.init(ofUTF8:)))
        }
    }

    public init() {}

    // MARK: A keychain

    /// Grows with each change of what a keychain has to keep.
    public var edition: Int { content.withLock { $0.edition } }

    /// Takes on what a keychain has kept, in the place of everything.
    public func restore(_ kept: [KeptSecret]) {
        content.withLock { content in
            content.entries = [:]
            for one in kept {
                content.entries[CredentialHandle(one.name)] = Entry(
                    secret: one.secret, version: one.version, value: one.value)
            }
        }
    }

    /// What a keychain has to keep for the next launch, ordered by name.
    public var kept: [KeptSecret] {
        content.withLock { content in
            content.entries.sorted { $0.key.name < $1.key.name }.map { handle, entry in
                KeptSecret(
                    name: handle.name, secret: entry.secret, version: entry.version,
                    value: entry.value)
            }
        }
    }

    // MARK: The app

    /// Keeps a secret in the place of an earlier one; returns what to tell the engine. The same
    /// secret again counts as a new one: what a server has rejected may be good later.
    @discardableResult
    public func keep(_ secret: Secret, as handle: CredentialHandle) -> CredentialNews {
        content.withLock { content in
            var entry = Entry(secret: secret, version: content.entries[handle]?.version ?? 0)
            entry.value = secret.value
            if entry.value != nil { entry.version += 1 }
            content.entries[handle] = entry
            content.edition += 1
            return .known(entry.state)
        }
    }

    /// Returns what to tell a machine at its launch, ordered by name.
    public var states: [(handle: CredentialHandle, state: CredentialState)] {
        content.withLock { content in
            content.entries.sorted { $0.key.name < $1.key.name }
                .map { (handle: $0.key, state: $0.value.state) }
        }
    }

    // MARK: The host

    /// Returns the pieces with all secrets filled in.
    public func filled(_ pieces: [OutgoingPiece]) -> [OutgoingPiece] {
        guard pieces.contains(where: \.isCredential) else { return pieces }
        return content.withLock { content in
            pieces.map { piece in
                guard case .credential(let use) = piece else { return piece }
                let entry = content.entries[use.handle]
                let value = use.version == nil ? entry?.secret.renewal : entry?.value
                var bytes = Array((value ?? "").utf8)
                let length = Int(use.length.bytes)
                // The secret has changed since the engine decided: the server rejects what is said.
                if bytes.count > length { bytes.removeLast(bytes.count - length) }
                bytes += [UInt8](repeating: UInt8(ascii: " "), count: length - bytes.count)
                return .bytes(bytes)
            }
        }
    }

    /// The value of the `Authorization` field of a request that was sent; `nil` if it has changed
    /// since. Without a credential it is empty.
    public func authorization(of use: CredentialUse?) -> String? {
        guard let use else { return "" }
        return content.withLock { content in
            let entry = content.entries[use.handle]
            return entry?.version == use.version ? entry?.value : nil
        }
    }

    /// Forgets a token that the server has rejected, so that no later launch sends it. A password
    /// may be tried again then.
    public func forget(_ use: CredentialUse) {
        content.withLock { content in
            guard let entry = content.entries[use.handle], entry.version == use.version else {
                return
            }
            if case .password = entry.secret { return }
            content.entries[use.handle]?.value = nil
            content.edition += 1
        }
    }

    /// Notes that the answer on this connection brings a token. Nothing more comes on an earlier
    /// one for the same credential.
    public func awaitsToken(on connection: ConnectionID, for handle: CredentialHandle) {
        content.withLock { content in
            // any order: each is looked at by itself
            content.readers = content.readers.filter { $0.value.handle != handle }
            content.readers[connection] = (handle, TokenAnswer())
        }
    }

    /// Whether the answer on this connection is not the engine's to read.
    public func readsToken(on connection: ConnectionID) -> Bool {
        content.withLock { $0.readers[connection] != nil }
    }

    /// Reads a part of the answer; returns what to tell the engine once it is whole.
    public func receive(
        _ segments: [Segment], on connection: ConnectionID
    ) -> (handle: CredentialHandle, news: CredentialNews)? {
        content.withLock { content in
            guard var reader = content.readers[connection] else { return nil }
            reader.answer.add(segments)
            content.readers[connection] = reader
            guard let result = reader.answer.result else { return nil }
            content.readers[connection] = nil
            let handle = reader.handle
            switch result {
            case .token(let token, let status):
                guard var entry = content.entries[handle] else {
                    return (handle, .notRenewed(status: status))
                }
                entry.version += 1
                entry.value = "Bearer \(token)"
                content.entries[handle] = entry
                content.edition += 1
                return (handle, .renewed(entry.state, status: status))
            case .none(let status): return (handle, .notRenewed(status: status))
            }
        }
    }
}

/// A secret as a keychain keeps it: whoever encodes one has to put it in a safe place.
public struct KeptSecret: Codable, Sendable {
    fileprivate let name: String
    fileprivate let secret: Secret
    fileprivate let version: UInt32
    fileprivate let value: String?
}

extension Secret {
    /// The value of the `Authorization` field, if it needs no token of the server.
    fileprivate var value: String? {
        switch self {
        case .password(let user, let password): Self.basic(user, password)
        case .token(let token): "Bearer \(token)"
        case .tokens: nil
        }
    }

    /// The value that asks for a new token.
    fileprivate var renewal: String? {
        switch self {
        case .password, .token: nil
        case .tokens(let user, let password): Self.basic(user, password)
        }
    }

    /// RFC 7617 §2.
    private static func basic(_ user: String, _ password: String) -> String {
        "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
    }
}

extension OutgoingPiece {
    fileprivate var isCredential: Bool {
        if case .credential = self { true } else { false }
    }
}

extension ByteCount {
    fileprivate init(ofUTF8 text: String) { self.init(UInt64(text.utf8.count)) }
}
