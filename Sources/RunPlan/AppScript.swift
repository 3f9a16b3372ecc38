package import Quantities
import RunLog
package import TransferClient
import TransferEngine

/// What the app of a plan does, written as an app would be: it knows the API of its transfers and
/// nothing else.
///
/// On its first launch it adds the plan's sessions and starts the queue. On later launches it only
/// starts it: what was added before is still there (A9), running mode is not (A11). Every launch
/// makes the plan's background sessions, to hear of what earlier ones have left; the first one
/// makes the tasks, begins the upload operations, of which no later launch knows anything (U7), and
/// starts the resumable transfers, which a later one finds suspended (K4).
/// What the plan says of the app comes on top.
package struct AppScript: Sendable {
    let sessions: [PlannedSession]
    let account: Account
    let plan: AppPlan

    package init(
        _ sessions: [PlannedSession], _ plan: AppPlan = AppPlan(), server: ServerAddress
    ) {
        self.sessions = sessions
        account = Account(
            host: server.host, port: server.port, credentials: CredentialHandle("app"))
        self.plan = plan
    }

    /// The app as it runs from now on: its process has to keep it. `launch` counts from the first
    /// on which the app found nothing of its own.
    package func didLaunch(
        _ launch: UInt32, at now: Instant, with faces: TransferFaces,
        files: (any AppFiles)? = nil
    ) -> RunningApp {
        let app = RunningApp(self, launch: launch, faces, files)
        if launch == 1 {
            let later = plan.later(.queue)
            for number in sessions.indices.map({ $0 + 1 }) {
                switch plan.notEnqueued[number] {
                case .saved: app.perform(.save(number))
                case .made: app.makeSession(number)
                case .enqueued, nil:
                    if !later.contains(number) {
                        app.perform(.item(.begin, ItemName(UInt64(number))))
                    }
                }
            }
        }
        // A queue into which nothing ever comes is none.
        if plan.starts(onLaunch: launch), !sessions.isEmpty { app.perform(.start) }
        app.hearFromNowOn(at: now)
        return app
    }
}

/// Where the world has put the server.
package struct ServerAddress: Hashable, Sendable {
    package var host: String
    package var port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}
