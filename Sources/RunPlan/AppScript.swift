import RunLog
package import TransferClient
package import TransferEngine

/// What the app of a plan does, written as an app would be: it knows the queue's API and nothing
/// else.
///
/// On its first launch it adds the plan's sessions and starts the queue. On later launches it only
/// starts it: what was added before is still there (A9), running mode is not (A11). What the plan
/// says of the app comes on top.
package struct AppScript: Sendable {
    private let sessions: [PlannedSession]
    private let account: Account
    private let plan: AppPlan

    package init(
        _ sessions: [PlannedSession], _ plan: AppPlan = AppPlan(), server: ServerAddress
    ) {
        self.sessions = sessions
        account = Account(
            host: server.host, port: server.port, credentials: CredentialHandle("app"))
        self.plan = plan
    }

    /// Who hears of the queue from then on: the process has to keep it.
    package func didLaunch(_ launch: UInt32, with queue: TransferQueue) -> AppDelegate {
        if launch == 1 {
            let later = plan.addedLater
            for number in sessions.indices.map({ $0 + 1 }) where !later.contains(number) {
                enqueue(number, into: queue)
            }
        }
        // A queue into which nothing ever comes is none.
        if plan.starts(onLaunch: launch), !sessions.isEmpty { queue.start() }
        let delegate = AppDelegate(self, queue)
        queue.delegate = delegate
        return delegate
    }

    /// Every launch makes the plan's background sessions, to hear of what earlier ones have left;
    /// the first one makes the tasks. The process has to keep the answer.
    package func didLaunch(
        _ launch: UInt32, with sessions: BackgroundSessions
    ) -> BackgroundDelegate? {
        guard !plan.tasks.isEmpty else { return nil }
        let delegate = BackgroundDelegate()
        sessions.delegate = delegate
        var made: [String: BackgroundSession] = [:]
        for task in plan.tasks where made[task.session] == nil {
            made[task.session] = sessions.session(
                withIdentifier: task.session, delegate: delegate)
        }
        delegate.anySession = made[plan.tasks[0].session]
        guard launch == 1 else { return delegate }
        for planned in plan.tasks {
            guard let session = made[planned.session] else { continue }
            let task =
                switch planned.transfer {
                case .upload(let source, let destination):
                    session.uploadTask(
                        to: account, path: destination, fromFile: source,
                        limits: planned.limits, isDiscretionary: planned.isDiscretionary)
                case .download(let object):
                    session.downloadTask(
                        from: account, path: object, limits: planned.limits,
                        isDiscretionary: planned.isDiscretionary)
                }
            if planned.isResumed { task.resume() }
        }
        return delegate
    }

    fileprivate func hears(_ occasion: AppPlan.Occasion, of queue: TransferQueue) {
        for command in plan.commands(on: occasion) { perform(command, with: queue) }
    }

    /// As the app's user wants it. What is in the queue no more, or not yet, has no index: then
    /// there is nothing that an app could ask for.
    package func perform(_ command: AppPlan.Command, with queue: TransferQueue) {
        switch command {
        case .start: queue.start()
        case .stop: queue.stop()
        case .doNotStart: break
        case .enqueue(let number): enqueue(number, into: queue)
        case .session(let verb, let number):
            if let index = queue.index(of: number) { perform(verb, at: index, in: queue) }
        case .move(let number, let index):
            if let from = queue.index(of: number) { queue.moveSession(from: from, to: index) }
        }
    }

    private func perform(_ verb: SessionVerb, at index: Int, in queue: TransferQueue) {
        switch verb {
        case .run: queue.runSession(at: index)
        case .cancel: queue.cancelSession(at: index)
        case .stop: queue.stopSession(at: index)
        case .pause: queue.pauseSession(at: index)
        case .resume: queue.resumeSession(at: index)
        case .remove: queue.removeSession(at: index)
        }
    }

    private func enqueue(_ number: Int, into queue: TransferQueue) {
        let session = sessions[number - 1]
        queue.enqueue(
            SessionRequest(
                account: account,
                uploads: [
                    SessionRequest.File(source: session.source, destination: session.destination)
                ], limits: session.limits))
    }
}

extension TransferQueue {
    /// Of the session that has this number in the plan.
    fileprivate func index(of number: Int) -> Int? {
        sessions.firstIndex(of: SessionID(UInt64(number)))
    }
}

/// The part of the app that the queue tells what becomes of its sessions.
package final class AppDelegate: TransferQueueDelegate {
    private let script: AppScript
    private let queue: TransferQueue

    fileprivate init(_ script: AppScript, _ queue: TransferQueue) {
        self.script = script
        self.queue = queue
    }

    package func storeWasSetAside(_ setAside: StoreSetAside) {
        script.hears(.storeSetAside, of: queue)
    }

    package func didDeactivate(_ session: SessionID, with result: SessionResult) {
        let name = ItemName(session.number)
        switch result {
        case .completed: script.hears(.completed(name), of: queue)
        case .failed: script.hears(.failed(name), of: queue)
        case .cancelled, .stopped: break
        }
    }
}

/// The part of the app that its background sessions tell what becomes of their tasks.
package final class BackgroundDelegate: BackgroundSessionDelegate, BackgroundAppDelegate {
    fileprivate var anySession: BackgroundSession?
    /// By the identifiers of their sessions.
    private var handlers: [String: () -> Void] = [:]

    /// The user does something to a task, by the app's own count.
    package func take(_ step: TaskStep, on number: UInt64) {
        guard let task = anySession?.task(number) else { return }
        switch step {
        case .resumed: task.resume()
        case .suspended: task.suspend()
        case .cancelled: task.cancel()
        }
    }

    package func handleEvents(
        forBackgroundSession identifier: String, completionHandler: @escaping () -> Void
    ) {
        handlers[identifier] = completionHandler
    }

    /// Cleared first, then called (B4).
    package func didFinishEvents(forBackgroundSession identifier: String) {
        handlers.removeValue(forKey: identifier)?()
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
