package import TransferEngine

/// What the app adds to its queue, in this order.
package struct PlannedSession: Hashable, Sendable {
    package var work: Work
    /// Networks that it does not use.
    package var limits: NetworkLimits

    package enum Work: Hashable, Sendable {
        case upload(PlannedPath)
        /// It is persistent, and these are what the app may come to add to it.
        case paths([PlannedPath])
    }

    package init(_ work: Work, limits: NetworkLimits = []) {
        self.work = work
        self.limits = limits
    }

    package init(source: String, destination: String, limits: NetworkLimits = []) {
        self.init(.upload(PlannedPath(source: source, destination: destination)), limits: limits)
    }

    /// All that it may bring to the server.
    package var paths: [PlannedPath] {
        switch work {
        case .upload(let path): [path]
        case .paths(let paths): paths
        }
    }

    package var isPersistent: Bool {
        switch work {
        case .upload: false
        case .paths: true
        }
    }
}

/// A file of the app, and where it goes below the docroot.
package struct PlannedPath: Hashable, Sendable {
    package var source: String
    package var destination: String

    package init(source: String, destination: String) {
        self.source = source
        self.destination = destination
    }
}
