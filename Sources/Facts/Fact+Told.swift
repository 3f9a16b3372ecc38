package import Quantities

/// Callbacks of all APIs with the same meaning.
extension Fact {
    /// The progress of an item. Tasks also make progress while no app can be told.
    package var progress: (item: ItemName, done: ByteCount, total: ByteCount)? {
        switch self {
        case .queue(.callback(let item, .progress(_, let done, let total, _))),
            .operations(.callback(let item, .progress(let done, let total))),
            .entries(.callback(let item, .progress(let done, let total))),
            .background(.callback(let item, .didSendBodyData(_, let done, let total))),
            .background(.callback(let item, .didWriteData(_, let done, let total))),
            .engine(.hasMoved(let item, let done, let total)):
            (item, done, total)
        default: nil
        }
    }

    /// The item of which the app was told that it has completed. Tasks may also complete while no
    /// app can be told.
    package var toldCompletion: ItemName? {
        switch self {
        case .queue(.callback(let item, .didDeactivate(.completed))),
            .operations(.callback(let item, .completed)),
            .entries(.callback(let item, .completed)):
            item
        default: nil
        }
    }

    /// The item of which the app was told that it has failed.
    package var toldFailure: ItemName? {
        switch self {
        case .queue(.callback(let item, .didDeactivate(.failed))),
            .operations(.callback(let item, .failed)), .entries(.callback(let item, .ended)):
            item
        default: nil
        }
    }

    /// The item that has ended, in a callback that tells the app so.
    package var itemToldToEnd: ItemName? {
        switch self {
        case .queue(.callback(let item, .didDeactivate)),
            .operations(.callback(let item, .completed)), .operations(.callback(let item, .failed)),
            .entries(.callback(let item, .completed)), .entries(.callback(let item, .ended)),
            .background(.callback(let item, .didComplete)):
            item
        default: nil
        }
    }

    /// The item that is still at work, in a callback that tells the app so.
    package var itemToldAtWork: ItemName? {
        switch self {
        case .queue(.callback(let item, .didStartFile)), .queue(.callback(let item, .progress)),
            .queue(.callback(let item, .canAcceptPaths)),
            .operations(.callback(let item, .added)), .operations(.callback(let item, .progress)),
            .entries(.callback(let item, .ongoing)), .entries(.callback(let item, .progress)),
            .entries(.callback(let item, .suspended)):
            item
        // Only `didComplete` ends a task.
        case .background(.callback(let item, _)): itemToldToEnd == nil ? item : nil
        default: nil
        }
    }
}
