public import Quantities

/// Names a credential without containing it.
public struct CredentialHandle: Hashable, Sendable, Codable {
    public var name: String
    public init(_ name: String) { self.name = name }
}

/// What the engine knows of a credential: enough to send it, and nothing of its secret.
///
/// The host keeps the secret. It tells the state at every launch, and after every change.
public struct CredentialState: Hashable, Sendable, Codable {
    /// Grows with each new secret. 0 means that there is none yet, only a way to get one.
    public var version: UInt32
    /// The length of the `Authorization` field's value.
    public var length: ByteCount
    /// The length of the value that asks for a new token; `nil` if nobody can be asked.
    public var renewal: ByteCount?

    public init(version: UInt32, length: ByteCount, renewal: ByteCount? = nil) {
        self.version = version
        self.length = length
        self.renewal = renewal
    }
}

/// What a host tells of a credential.
public enum CredentialNews: Hashable, Sendable, Codable {
    /// The state at a launch, or after the app has given another secret.
    case known(CredentialState)
    /// The server has answered a request for a new token with this status, and brought one or not.
    case renewed(CredentialState, status: Int)
    case notRenewed(status: Int)
}

/// The value of an `Authorization` field, which the host fills in.
public struct CredentialUse: Hashable, Sendable, Encodable {
    public let handle: CredentialHandle
    /// The version to send; `nil` stands for the value that asks for a new token.
    public let version: UInt32?
    public let length: ByteCount
}

/// How the requests of a lane say who sends them.
enum Identity: Hashable, Sendable {
    /// They do not say it: nothing is known of the account's credential.
    case anonymous
    /// They wait for a credential.
    case awaited
    case known(CredentialUse)

    var use: CredentialUse? {
        if case .known(let use) = self { use } else { nil }
    }
}
