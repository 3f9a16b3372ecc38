import DocrootServer
import RunPlan
import TransferClient

/// How an app signs in, with its place in the file, until the users of the server are known.
struct PlacedSignIn {
    let secret: Secret
    let node: YAMLNode

    /// Reports what cannot be meant. A name or a password that is wrong may be the point.
    func refuse(unlessKnownTo server: ServerSettings) {
        let users = server.accounts
        if users.isEmpty {
            return node.refuse(
                "the server has no users, so nobody has to sign in",
                expected: "“accounts: { ada: { password: engine } }” under “server”")
        }
        guard case .tokens(let name, _) = secret,
            let user = users.first(where: { $0.name == name }), user.tokenLifetime == nil
        else { return }
        node.refuse(
            "the server gives “\(name)” no tokens",
            expected: "“tokens-last: 1 h” for “\(name)” under “server”, or no “tokens: yes” here")
    }
}
