package import TransferEngine

/// What the app adds to its queue, in this order.
package struct PlannedSession: Hashable, Sendable {
    package var work: Work
    /// Networks that it does not use.
    package var limits: NetworkLimits
    package var settings: TransferSettings
    /// `nil` is the app's usual one.
    package var account: PlannedAccount?
    /// When it comes into the queue, if nobody says more of it.
    package var beginning = Beginning.enqueued

    package enum Beginning: Hashable, Sendable {
        case enqueued
        /// The first launch saves it, and somebody enqueues it later (A9).
        case saved
        /// The first launch makes it, and it is gone with its process if nobody saves it before.
        case made
    }

    package enum Work: Hashable, Sendable {
        case upload(PlannedPath)
        /// From below the docroot to the app's container.
        case download(PlannedPath)
        /// It is persistent, and these are what the app may come to add to it.
        case paths([PlannedPath])
    }

    package init(
        _ work: Work, limits: NetworkLimits = [], settings: TransferSettings = TransferSettings()
    ) {
        self.settings = settings
        self.work = work
        self.limits = limits
    }

    package init(source: String, destination: String, limits: NetworkLimits = []) {
        self.init(.upload(PlannedPath(source: source, destination: destination)), limits: limits)
    }

    /// All that it may bring to the server.
    package var uploads: [PlannedPath] {
        switch work {
        case .upload(let path): [path]
        case .download: []
        case .paths(let paths): paths
        }
    }

    /// Where these go, below the docroot.
    package var destinations: [String] {
        uploads.map { account?.path($0.destination) ?? $0.destination }
    }

    package var isPersistent: Bool {
        switch work {
        case .upload, .download: false
        case .paths: true
        }
    }
}

/// A file of the app, and where it goes below the docroot; or an object there, and where it goes in
/// the app's container.
package struct PlannedPath: Hashable, Sendable {
    package var source: String
    package var destination: String

    package init(source: String, destination: String) {
        self.source = source
        self.destination = destination
    }
}

/// What an app makes other of the settings that a session has in the plan.
package enum SettingsChange: Hashable, Sendable, Codable {
    case overwrite(OverwritePolicy)
    case resume(ResumePolicy)

    func apply(to settings: inout TransferSettings) {
        switch self {
        case .overwrite(let policy): settings.overwrite = policy
        case .resume(let policy): settings.resume = policy
        }
    }
}
