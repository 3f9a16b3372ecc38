package import TransferEngine

/// A session that the app adds to its queue.
package struct PlannedSession: Hashable, Sendable {
    package var work: Work
    /// Networks that the session does not use.
    package var limits: NetworkLimits
    package var settings: TransferSettings
    /// `nil`: the account without a name.
    package var account: PlannedAccount?
    /// What the first launch does with the session, unless a rule begins it.
    package var beginning = Beginning.enqueued

    package enum Beginning: Hashable, Sendable {
        case enqueued
        /// The first launch saves the session, to be enqueued later (A9).
        case saved
        /// The first launch makes the session, which is lost with the process unless it is saved.
        case made
        /// The first launch adds it to the queue, which has to refuse it.
        case refused
    }

    package enum Work: Hashable, Sendable {
        /// Files, one after the other.
        case upload([PlannedPath])
        case download([PlannedPath])
        /// The paths that the app may add to a persistent session.
        case paths([PlannedPath], isDownload: Bool)
    }

    package init(
        _ work: Work, limits: NetworkLimits = [], settings: TransferSettings = TransferSettings()
    ) {
        self.settings = settings
        self.work = work
        self.limits = limits
    }

    package init(source: String, destination: String, limits: NetworkLimits = []) {
        self.init(.upload([PlannedPath(source: source, destination: destination)]), limits: limits)
    }

    /// All files that the session may upload.
    package var uploads: [PlannedPath] { isDownload ? [] : paths }

    package var isDownload: Bool {
        switch work {
        case .upload: false
        case .download: true
        case .paths(_, let isDownload): isDownload
        }
    }

    /// All files or objects that the session may transfer.
    package var paths: [PlannedPath] {
        switch work {
        case .upload(let paths), .download(let paths), .paths(let paths, _): paths
        }
    }

    /// The numbers that its transfers may take. The paths of a persistent session are counted by
    /// each launch.
    var transferCount: UInt64 {
        switch work {
        case .upload(let paths), .download(let paths): UInt64(max(1, paths.count))
        case .paths: 1
        }
    }

    /// The paths of the uploads below the docroot.
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

/// A file of the app and its destination below the docroot; or an object below the docroot and its
/// destination in the app's container.
package struct PlannedPath: Hashable, Sendable {
    package var source: String
    package var destination: String

    package init(source: String, destination: String) {
        self.source = source
        self.destination = destination
    }
}

/// A change of a session's settings.
package enum SettingsChange: Hashable, Sendable, Codable {
    case overwrite(OverwritePolicy)
    case resume(ResumePolicy)
    case ratePolicy(RatePolicy)
    case targetRate(UInt64)

    func apply(to settings: inout TransferSettings) {
        switch self {
        case .overwrite(let policy): settings.overwrite = policy
        case .resume(let policy): settings.resume = policy
        case .ratePolicy(let policy): settings.rate.policy = policy
        case .targetRate(let rate): settings.rate.target = rate
        }
    }
}
