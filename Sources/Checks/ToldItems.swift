import RunLog

extension Fact {
    /// The item that has ended, in a callback that tells the app so.
    var itemToldToEnd: ItemName? {
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
    var itemToldAtWork: ItemName? {
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
