import Quantities
import RunLog
package import TransferClient
package import TransferEngine

/// Background sessions and their tasks. Every launch makes the sessions; the first makes the tasks.
extension RunningApp {
    func makeSessions() {
        for planned in script.plan.tasks where sessions[planned.session] == nil {
            _ = session(planned.session)
            guard script.plan.manners.makesSessionsTwice else { continue }
            _ = faces.background.session(withIdentifier: planned.session, delegate: stranger)
        }
        begin(.background)
    }

    /// Returns the session of this launch with an identifier, or makes it.
    private func session(_ identifier: String) -> BackgroundSession {
        if let session = sessions[identifier] { return session }
        let planned = script.plan.backgroundSessions[identifier] ?? PlannedBackgroundSession()
        let session = faces.background.session(
            withIdentifier: identifier, configuration: planned.configuration, delegate: self,
            delegateQueue: planned.delegateQueue)
        sessions[identifier] = session
        return session
    }

    func perform(_ step: ItemStep, onTask number: Int) {
        switch step {
        case .begin: make(number)
        case .beginUnlessListed: makeUnlessListed(number)
        case .putOff:
            task(number)?.cancel { [self] data in resumeData[UInt64(number)] = data }
        case .resume: task(number)?.resume()
        case .suspend: task(number)?.suspend()
        case .cancel: task(number)?.cancel()
        case .run, .stop, .pause, .remove, .retry, .terminate: step.isNone(of: .background)
        }
    }

    private func make(_ number: Int) {
        let planned = script.plan.tasks[number - 1]
        // The sessions of a launch may come later.
        guard nextDeadline == nil else { return }
        let (session, id) = (session(planned.session), UInt64(number))
        let request = request(ofTask: number)
        let task =
            switch planned.transfer {
            case .upload(let source, _, let isResumable):
                session.uploadTask(
                    id, with: request, fromFile: source, isResumable: isResumable)
            case .data(let size, _):
                session.uploadTask(
                    id, with: request, from: [UInt8](repeating: 0, count: Int(size.bytes)))
            case .download: session.downloadTask(id, with: request)
            case .resumption(let earlier): resume(earlier, by: request, as: id, in: session)
            }
        if planned.isResumed { task.resume() }
    }

    /// Continues a download, or begins it anew in a launch that has no data to continue it.
    private func resume(
        _ earlier: Int, by request: TaskRequest, as number: UInt64, in session: BackgroundSession
    ) -> BackgroundTask {
        guard let data = resumeData[UInt64(earlier)] else {
            return session.downloadTask(number, with: request)
        }
        return session.downloadTask(number, withResumeData: data)
    }

    /// Returns the request of a task, or of the task whose download it continues.
    private func request(ofTask number: Int) -> TaskRequest {
        let planned = script.plan.tasks[number - 1]
        if let request = planned.request(to: script.account) { return request }
        guard case .resumption(let earlier) = planned.transfer else {
            preconditionFailure("only a resumption has no request of its own")
        }
        return request(ofTask: earlier)
    }

    private func makeUnlessListed(_ number: Int) {
        let planned = script.plan.tasks[number - 1]
        let request = request(ofTask: number)
        sessions[planned.session]?.getAllTasks { [self] tasks in
            let others = tasks.map(\.originalRequest) + ended
            if !others.contains(request) { make(number) }
        }
    }

    /// Keeps a downloaded file, whose temporary file exists until the callback returns (B3). The
    /// log tells of failures, so the app need not.
    private func keep(
        _ location: String, as keeping: AppManners.Keeping, _ response: TaskResponse
    ) {
        switch keeping.way {
        case .moved where !response.isSuccess, .copied where !response.isSuccess: break
        case .moved, .movedUnread: try? files?.move(location, to: keeping.path)
        case .copied, .copiedUnread: try? files?.copy(location, to: keeping.path)
        case .movedTooLate:
            afterCallback.append { [files] in try? files?.move(location, to: keeping.path) }
        }
    }

    private func task(_ number: Int) -> BackgroundTask? {
        sessions[script.plan.tasks[number - 1].session]?.task(UInt64(number))
    }

    /// Does what the rules say, and tells the system that something is on its way, or not.
    func fetches(_ completionHandler: @escaping (FetchResult) -> Void) {
        hears(.fetch)
        guard !script.plan.manners.forgetsFetches else { return }
        completionHandler(script.plan.commands(on: .fetch).isEmpty ? .noData : .newData)
    }

    func runsInBackground(for identifier: String, completionHandler: @escaping () -> Void) {
        handlers[identifier] = completionHandler
        hears(.woken)
    }
}

extension RunningApp: BackgroundSessionDelegate {
    package func task(
        _ task: BackgroundTask, didFinishDownloadingTo location: String, response: TaskResponse
    ) {
        let keepings = script.plan.manners.keepings.filter { $0.task == task.number }
        for keeping in keepings { keep(location, as: keeping, response) }
        if keepings.isEmpty, let byName = script.plan.manners.keepsByName,
            let name = task.originalRequest?.lastPathComponent
        {
            let way: AppManners.Way = byName.looksAtStatus ? .moved : .movedUnread
            keep(location, as: .init(task.number, way, to: "\(byName.folder)/\(name)"), response)
        }
        hears(.downloaded(ItemName(task.number, of: .background)))
    }

    package func task(
        _ task: BackgroundTask, didCompleteWith outcome: TaskOutcome, resumeData: ResumeData?
    ) {
        let name = ItemName(task.number, of: .background)
        if let resumeData { self.resumeData[task.number] = resumeData }
        ended.append(task.originalRequest)
        switch outcome {
        case .answered: hears(.completed(name))
        case .failed: hears(.failed(name))
        }
    }

    /// Clears the handler first, and then calls it (B4).
    package func didFinishEvents(forBackgroundSession identifier: String) {
        guard let handler = handlers.removeValue(forKey: identifier) else { return }
        let manners = script.plan.manners
        let isOnMain = sessions[identifier]?.delegateQueue == .main
        for _ in 0..<manners.handlerCalls {
            if isOnMain || manners.callsHandlerAnywhere {
                handler()
            } else {
                afterCallback.append(handler)
            }
        }
    }

    package func didBecomeInvalid(backgroundSession identifier: String) {
        sessions[identifier] = nil
    }
}
