import Protocols

/// The credentials of tasks. The daemon has them from the apps, and keeps them no longer than its
/// process; its host tells them again at the next start.
extension TransferDaemon {
    /// Takes an app's word on a credential; `nil` if it cannot bring another.
    mutating func brought(
        _ handle: CredentialHandle, _ state: CredentialState?, by client: Int
    ) {
        clients[client].brought(handle)
        if let state { return clients[client].credentials.know(handle, state) }
        clients[client].credentials.bar(handle)
        for index in tasks.indices where waits(index, for: handle, of: clients[client].app) {
            turn.note(
                .engine(.fails(tasks[index].record.id.name, TaskError.userAuthenticationRequired)))
            finish(index, .failed(.userAuthenticationRequired), by: .done)
        }
    }

    /// Lets the tasks back off that wait for a credential, and then ask for it again (B8, B10).
    mutating func notForNow(_ handle: CredentialHandle, by client: Int) {
        clients[client].brought(handle)
        for index in tasks.indices
        where waits(index, for: handle, of: clients[client].app) && isWithoutCredential(index) {
            fail(index, .connectionLost, closing: false)
        }
    }

    /// Returns how a task says who asks; `nil` if nobody brings another credential.
    func identity(of record: TaskRecord) -> Identity? {
        guard let client = clients.first(where: { $0.app == record.id.app }) else {
            return .anonymous
        }
        return client.credentials.identity(by: record.account.credentials)
    }

    /// Begins on an open connection.
    mutating func beginOpen(_ index: Int) {
        let record = tasks[index].record
        guard var lane = tasks[index].lane else { return }
        guard let identity = identity(of: record) else {
            return fail(index, .userAuthenticationRequired)
        }
        guard identity != .awaited else {
            close(index)
            tasks[index].phase = .waiting
            return
        }
        lane.identity = identity
        lane.begin(record.transfer, at: turn.now, into: &turn.wanted)
        tasks[index].phase = .running(lane)
    }

    /// Waits for another credential, or finishes with the server's answer if there is none.
    mutating func rejected(_ use: CredentialUse, of index: Int) {
        guard let lane = tasks[index].lane else { return }
        let record = tasks[index].record
        let remedy = clients[client(record.id.app)].credentials.reject(use)
        turn.wanted.append(.forget(use, sentOn: lane.connection))
        close(index)
        // Nobody repeats a task by hand: it has more patience than what an app watches.
        guard remedy != .none, tasks[index].rejections < CredentialKeeper.Remedy.mostRejections
        else {
            let response = TaskResponse(lane.lastStatus, fields: lane.lastAnswer.head.fields)
            return finish(index, .answered(response), by: .done)
        }
        tasks[index].rejections += 1
        tasks[index].phase = .waiting
    }

    /// Whether a task could run if its app brought a credential.
    func waitsForCredential(_ record: TaskRecord) -> Bool { identity(of: record) == .awaited }

    /// Asks an app for the credentials for which its tasks wait.
    mutating func requestCredentials(of place: Int) {
        let app = clients[place].app
        for index in tasks.indices
        where tasks[index].record.id.app == app && isWithoutCredential(index) && hears(index) {
            let account = tasks[index].record.account
            guard clients[place].request(account.credentials),
                let state = clients[place].credentials.state(of: account.credentials)
            else { continue }
            turn.want(.tell(app: app, .credentialRejected(account, version: state.version)))
        }
    }

    /// Returns the sessions of an app of which a task waits for a credential.
    func sessionsWithoutCredential(_ app: UInt16) -> [String] {
        tasks.indices.filter { tasks[$0].record.id.app == app && isWithoutCredential($0) }
            .map { tasks[$0].record.session }
    }

    /// Returns the sessions for which an app that does not run has to bring a credential, each time
    /// one is needed once.
    mutating func credentialsToWakeFor(_ place: Int) -> [String] {
        let app = clients[place].app
        var sessions: [String] = []
        for index in tasks.indices
        where tasks[index].record.id.app == app && isWithoutCredential(index) {
            let handle = tasks[index].record.account.credentials
            if clients[place].wakes(for: handle) { sessions.append(tasks[index].record.session) }
        }
        return sessions
    }

    private func isWithoutCredential(_ index: Int) -> Bool {
        isWaiting(index) && waitsForCredential(tasks[index].record)
            && obstacle(to: tasks[index].record, at: turn.now) == nil
            && tasks[index].rest.map { $0 <= turn.now } ?? true
    }

    private func waits(_ index: Int, for handle: CredentialHandle, of app: UInt16) -> Bool {
        tasks[index].record.id.app == app
            && tasks[index].record.account.credentials == handle && isWaiting(index)
    }
}
