import RunLog

/// Follows a log and tells how often something has happened in it.
struct HappeningCounter: Sendable {
    let happening: Happening
    private(set) var count = 0
    private(set) var isAccepted = false
    private var transfers: Set<TransferName> = []
    /// Objects by the uploads to them that are not over, for races.
    private var objects: [ResourceName: String] = [:]

    init(_ happening: Happening) { self.happening = happening }

    /// Whether it happens at this event.
    mutating func read(_ event: RunEvent) -> Bool {
        follow(event)
        guard happens(at: event) else { return false }
        count += 1
        return true
    }

    private mutating func follow(_ event: RunEvent) {
        guard case .engine(.accepts(let session, _, let accepted)) = event.fact, concerns(session)
        else { return }
        isAccepted = true
        transfers.formUnion(accepted.map(\.transfer))
    }

    private mutating func happens(at event: RunEvent) -> Bool {
        switch (happening, event.fact) {
        case (.resume, .engine(.resumes(let transfer, _, _))),
            (.startOver, .engine(.startsOver(let transfer, _))):
            transfers.contains(transfer)
        case (.retry, .engine(.attempt(let session, let number))):
            concerns(session) && number > 1
        case (.failure, .engine(.moves(let session, _, .failed, _))): concerns(session)
        case (.callback(_, let name), .queue(.callback(let session, let callback))):
            concerns(session) && CallbackName(callback) == name
        case (.stopByExpiry, .queue(.callback(let session, .didDeactivate(.stopped(.expiry))))):
            concerns(session)
        case (.publication(let wanted), .server(.published(_, let object, _, _))):
            object == wanted
        case (.answer(let wanted), .connection(.response(_, let status, _))): status == wanted
        case (.race, .server(let fact)): races(at: fact)
        case (.settingAside, let fact):
            if case .queue(.storeWasSetAside) = fact { true } else { false }
        case (.suspension, .device(.appEntered(_, .suspended, _))), (.kill, .device(.appKilled)):
            true
        case (.resume, _), (.startOver, _), (.retry, _), (.failure, _), (.callback, _),
            (.stopByExpiry, _), (.publication, _), (.answer, _), (.race, _), (.suspension, _),
            (.kill, _):
            false
        }
    }

    private mutating func races(at fact: ServerFact) -> Bool {
        switch fact {
        case .created(let resource, let object, _):
            // any order: whether there is one
            let isRace = objects.values.contains(object)
            objects[resource] = object
            return isRace
        case .published(let resource, _, _, _), .discarded(let resource, _):
            objects[resource] = nil
            return false
        default: return false
        }
    }

    private func concerns(_ session: ItemName) -> Bool {
        happening.session.map { $0 == session } ?? true
    }
}
