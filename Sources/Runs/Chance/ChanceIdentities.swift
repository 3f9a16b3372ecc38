/// Who the apps of a random scenario are, and the users of its server. In most runs the server lets
/// everybody in.
struct ChanceIdentities {
    /// The server's users.
    private(set) var serverLines: [String] = []
    /// The key with which each app signs in, the first app before another; empty if it does not.
    private(set) var signIns: [String] = []
    /// What an account of the first app's queue says of its user.
    private(set) var accountKeys: [String] = []
    /// Signings in of the first app, with the right password and with a wrong one.
    private var wishes: [String] = []

    init(seed: UInt64) {
        var dice = ChanceDice(seed: seed, name: "identities")
        guard dice.oneIn(4) else { return }
        let lifetime = dice.pick(["2 s", "8 s", "1 min", "1 h"])
        serverLines = [
            "  accounts:",
            "    ada: { password: engine, tokens-last: \(lifetime)\(Self.limits("ada", &dice)) }",
            "    charles: { password: mill, token: t0\(Self.limits("charles", &dice)) }",
        ]
        for place in 0..<2 {
            let identity = dice.pick(Self.identities)
            signIns.append(identity.isEmpty ? "" : "sign-in: { \(identity) }")
            if place == 0, identity.hasPrefix("user: ada") {
                wishes = ["sign in with engine", "sign in with steam"]
            }
        }
        accountKeys = ["", "", ", port: 8080", ", port: 8080", ", port: 8080"]
        accountKeys += Self.identities.filter { !$0.isEmpty }.map { ", \($0)" }
    }

    private static let identities = [
        "", "token: t0", "token: t1", "user: charles, password: mill",
        "user: ada, password: engine", "user: ada, password: steam",
        "user: ada, password: steam, tokens: yes", "user: ada, password: engine, tokens: no",
        "user: ada, password: engine, tokens: yes",
        "user: ada, password: engine, tokens: yes", "user: ada, password: engine, tokens: yes",
        "user: ada, password: engine, tokens: yes",
    ]

    private static func limits(_ user: String, _ dice: inout ChanceDice) -> String {
        let folder = dice.oneIn(3) ? ", folder: users/\(user)" : ""
        return folder + (dice.oneIn(4) ? ", quota: 2 MB" : "")
    }

    /// Returns how the first app can sign in, with the right password first, and how its accounts
    /// can.
    func wishes(with accounts: [String], seed: UInt64) -> [String] {
        let named = accounts.enumerated().filter { place, _ in
            keys(ofAccount: place, seed: seed).contains("user: ada")
        }
        return wishes + named.map { "sign in to account \($0.element) with engine" }
    }

    /// Returns what an app's account says, besides its folder.
    func keys(ofAccount place: Int, seed: UInt64) -> String {
        guard !accountKeys.isEmpty else { return "" }
        var dice = ChanceDice(seed: seed, name: "account \(place)")
        return dice.pick(accountKeys)
    }
}
