import Quantities

@testable import DocrootServer
@testable import Simulation

/// What somebody waits for the disk with, while others do the same.
enum DiskWork {
    case publish(VirtualDocroot.Publication)
    case makeFolder(StoreTicket, ArraySlice<DiskStep>)

    var steps: ArraySlice<DiskStep> {
        get {
            switch self {
            case .publish(let publication): publication.steps
            case .makeFolder(_, let steps): steps
            }
        }
        set {
            switch self {
            case .publish(var publication):
                publication.steps = newValue
                self = .publish(publication)
            case .makeFolder(let ticket, _): self = .makeFolder(ticket, newValue)
            }
        }
    }

    /// The place that it will show to readers.
    var object: ObjectPath? {
        if case .publish(let publication) = self { publication.object } else { nil }
    }

    /// What the server is told once all steps are done.
    func answer(of docroot: inout VirtualDocroot) -> ServerInput {
        switch self {
        case .publish(let publication):
            do throws(StoreFailure) {
                return .published(publication.upload, try docroot.finish(publication))
            } catch {
                return .storeFailed(publication.upload, error)
            }
        case .makeFolder(let ticket, _): return .answered(ticket, .done)
        }
    }
}
