import RunLog

/// `N unfinished uploads are left`: what the server still holds at the end, neither published nor
/// discarded.
struct UploadsAreLeft: Expectation {
    let count: Int

    var watch = Watch()
    var uploads: [ResourceName: String] = [:]

    var statement: String { "\(count) unfinished uploads are left on the server" }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .server(.created(let upload, let object, _)): uploads[upload] = object
        case .server(.published(let upload, _, _, _)), .server(.discarded(let upload, _)):
            uploads[upload] = nil
        case .run(.ended) where uploads.count != count:
            // any order: they are sorted
            let list = uploads.map { "\($0.key) for \($0.value)" }.sorted()
            watch.fall(
                expected: statement,
                seen: list.isEmpty ? "there is none" : list.joined(separator: ", "))
        default: break
        }
    }
}
