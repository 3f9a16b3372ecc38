package import TransferClient
import TransferEngine

/// What the app of a plan does, written as an app would be: it knows the queue's API and nothing
/// else.
///
/// On its first launch it adds the plan's sessions and starts the queue. On later launches it only
/// starts it: what was added before is still there (A9), running mode is not (A11).
package struct AppScript: Sendable {
    private let sessions: [PlannedSession]
    private let account: Account

    package init(_ plan: RunPlan, server: ServerAddress) {
        sessions = plan.sessions
        account = Account(
            host: server.host, port: server.port, credentials: CredentialHandle("app"))
    }

    package func didLaunch(_ launch: UInt32, with queue: TransferQueue) {
        if launch == 1 {
            for session in sessions {
                queue.enqueue(
                    SessionRequest(
                        account: account,
                        uploads: [
                            SessionRequest.File(
                                source: session.source, destination: session.destination)
                        ], limits: session.limits))
            }
        }
        queue.start()
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
