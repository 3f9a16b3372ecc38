package import DocrootServer
package import Quantities
import RunLog
package import TransferClient
import TransferEngine

/// The app of a plan, written as a real app: it knows only the API of its transfers.
///
/// The first launch adds the plan's sessions and starts the queue. Later launches only start the
/// queue: the sessions are still there (A9), but the queue is not running (A11). Every launch makes
/// the plan's background sessions, to hear of earlier tasks. The first launch also makes the tasks,
/// begins the upload operations, which no later launch knows (U7), and starts the resumable
/// transfers, which later launches find suspended (K4). The plan's rules come on top.
package struct AppScript: Sendable {
    let sessions: [PlannedSession]
    let account: Account
    package let plan: AppPlan
    /// The folders that the app's users see as the root of the server, by the names of their
    /// credentials.
    package let docroots: [String: String]
    let server: ServerAddress

    /// - Parameter users: The users of the server.
    package init(
        _ sessions: [PlannedSession], _ plan: AppPlan = AppPlan(), server: ServerAddress,
        users: [ServerUser] = []
    ) {
        self.sessions = sessions
        self.server = server
        docroots = plan.docroots(among: users)
        account = Account(
            host: server.host, port: server.port, credentials: CredentialHandle(Self.credential),
            usesTLS: server.usesTLS)
        self.plan = plan
    }

    /// The name of the credential that the app uses for everything without one of its own.
    fileprivate static let credential = "app"

    /// Returns the running app, which its process must keep. Launch 1 is the first after an
    /// installation or a loss of all data.
    package func didLaunch(
        _ launch: UInt32, at now: Instant, with faces: TransferFaces,
        files: (any AppFiles)? = nil
    ) -> RunningApp {
        let app = RunningApp(self, launch: launch, faces, files)
        if launch == 1 { app.signIn() }
        for command in plan.preparations(onLaunch: launch) { app.perform(command) }
        if launch == 1 {
            let later = plan.later(.queue)
            for number in sessions.indices.map({ $0 + 1 }) {
                switch plan.notEnqueued[number] {
                case .saved: app.perform(.save(number))
                case .made: app.makeSession(number)
                case .enqueued, .refused, nil:
                    if !later.contains(number) {
                        app.perform(.item(.begin, ItemName(UInt64(number))))
                    }
                }
            }
        }
        // An app without sessions does not use the queue.
        if plan.starts(onLaunch: launch), !sessions.isEmpty { app.perform(.start) }
        app.hearFromNowOn(at: now)
        return app
    }
}

extension AppPlan {
    /// Returns the folder of each user that the app names, by the name of the credential.
    package func docroots(among users: [ServerUser]) -> [String: String] {
        var folders: [String: String] = [:]
        func note(_ secret: Secret?, as credential: String) {
            let user = users.first { user in
                switch secret {
                case .password(let name, _), .tokens(let name, _): user.name == name
                case .token(let token): user.tokens.contains { $0.text == token }
                case nil: false
                }
            }
            if let user, user.docroot != .root { folders[credential] = user.docroot.text }
        }
        note(signIn, as: AppScript.credential)
        for account in accounts {
            if account.secret != nil { note(account.secret, as: account.name) }
        }
        return folders
    }
}

/// The address of the server in this world.
package struct ServerAddress: Hashable, Sendable {
    package var host: String
    package var port: UInt16
    /// The port by which a plan means the server; `nil` if it is the port itself.
    package var plannedPort: UInt16?
    /// A port that stands for all others, at which nobody listens; `nil` if there is nobody at any.
    package var deadPort: UInt16?
    package var usesTLS: Bool

    package init(
        host: String, port: UInt16, plannedPort: UInt16? = nil, deadPort: UInt16? = nil,
        usesTLS: Bool = false
    ) {
        self.usesTLS = usesTLS
        self.host = host
        self.port = port
        self.plannedPort = plannedPort
        self.deadPort = deadPort
    }

    /// Returns the port of this world for one of a plan.
    func port(planned: UInt16) -> UInt16 {
        planned == plannedPort ?? port ? port : deadPort ?? planned
    }
}
