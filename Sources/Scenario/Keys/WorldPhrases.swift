import Checks
import Quantities

/// Expectations of objects, bytes and figures.
enum WorldPhrases {
    static let all: [Phrase<ExpectationPlan>] = [
        Phrase(
            "PATH holds version N of PATH",
            "at the end the object equals the file as it is then, version N of it, or one of "
                + "two files"
        ) { holes, draft in
            let number = holes[1].count(
                in: 1...1_000_000, "the number of a version, counted from 1"
            ) { "there is no version \($0)" }
            let paths = both(draft.destination(holes[0]), FileActions.path(holes[2], of: draft))
            return both(paths, number)
                .map { .objectHolds($0.0, source: $0.1, version: Int($1)) }
        },
        Phrase("PATH holds PATH or PATH") { holes, draft in
            let sources = both(
                FileActions.path(holes[1], of: draft), FileActions.path(holes[2], of: draft))
            return both(draft.destination(holes[0]), sources)
                .map { .objectHoldsOne($0, of: [$1.0, $1.1]) }
        },
        Phrase("PATH holds PATH") { holes, draft in
            both(draft.destination(holes[0]), FileActions.path(holes[1], of: draft))
                .map { .objectHolds($0, source: $1, version: nil) }
        },
        Phrase(
            "PATH is published within TIME",
            "the first time that readers see it, counted from the run's start"
        ) { holes, draft in
            both(draft.destination(holes[0]), draft.reachable(holes[1]))
                .map { .objectIsPublished($0, within: .zero...$1) }
        },
        Phrase("PATH is published after TIME") { holes, draft in
            both(draft.destination(holes[0]), draft.reachable(holes[1]))
                .map { .objectIsPublished($0, within: $1...draft.limit) }
        },
        Phrase(
            "goodput at least PERCENT of the bottleneck",
            "bytes of completed files, divided by the time from the first activation to the last "
                + "completion"
        ) { holes, _ in
            holes[0].probability().map { .goodput(.share($0)) }
        },
        Phrase("goodput at least RATE") { holes, _ in
            holes[0].rate().map { .goodput(.rate($0)) }
        },
        Phrase("N unfinished uploads are left", "what the server holds at the end") { holes, _ in
            holes[0].count(in: 0...1_000_000, "a number of uploads") {
                "\($0) uploads are too many"
            }
            .map { .uploadsLeft(Int($0)) }
        },
    ]
}
