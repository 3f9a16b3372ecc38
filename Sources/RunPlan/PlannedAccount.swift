package import TransferClient

/// A named account that an app makes for sessions of its queue; other sessions use one without a
/// name.
package struct PlannedAccount: Hashable, Sendable {
    package var name: String
    /// The folder below the docroot.
    package var folder: String
    /// What proves who asks; `nil` if the account has the app's own identity.
    package var secret: Secret?
    /// The server's port, if it is not the usual one.
    package var port: UInt16?

    package init(name: String, folder: String, secret: Secret? = nil, port: UInt16? = nil) {
        self.name = name
        self.folder = folder
        self.secret = secret
        self.port = port
    }

    /// Returns where a remote path leads, below the docroot.
    package func path(_ remote: String) -> String {
        folder.isEmpty ? remote : folder + "/" + remote
    }
}

extension Secret {
    /// The name with which the server knows who asks; `nil` if only a token says it.
    package var user: String? {
        switch self {
        case .password(let user, _), .tokens(let user, _): user
        case .token: nil
        }
    }

    /// Returns the secret with another password.
    func with(password: String) -> Secret {
        switch self {
        case .password(let user, _): .password(user: user, password)
        case .tokens(let user, _): .tokens(user: user, password: password)
        case .token: self
        }
    }
}
