package import Quantities

/// A route to nowhere: for a while every packet is silently lost.
package struct BlackHole: Sendable {
    let options: Options

    package struct Options: Hashable, Sendable {
        package var from: Instant
        /// The end: the first moment at which packets pass again.
        package var until: Instant

        package init(from: Instant, until: Instant) {
            self.from = from
            self.until = until
        }
    }

    func accept(at now: Instant) -> StageVerdict {
        options.from <= now && now < options.until ? .drop(.lost) : .pass
    }
}
