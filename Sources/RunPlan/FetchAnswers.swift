package import TransferEngine

/// What an app has said of its fetches, until its host takes it.
package final class FetchAnswers {
    private var all: [FetchResult] = []

    package init() {}

    package func add(_ result: FetchResult) { all.append(result) }

    package func takeAll() -> [FetchResult] {
        defer { all = [] }
        return all
    }
}
