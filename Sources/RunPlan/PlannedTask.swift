package import Quantities
package import TransferEngine

/// A task that an app makes in one of its background sessions.
package struct PlannedTask: Hashable, Sendable {
    package enum Transfer: Hashable, Sendable {
        /// A file of the app, its destination below the docroot, and whether the address accepts
        /// resumable uploads.
        case upload(String, to: String, isResumable: Bool = false)
        /// Data in memory, which background sessions refuse (B9).
        case data(ByteCount, to: String)
        /// An object of the server.
        case download(String)
    }

    /// The identifier of the background session.
    package var session: String
    package var transfer: Transfer
    package var limits: NetworkLimits
    package var isDiscretionary: Bool
    /// Whether the app resumes the task at once; until then a task does nothing.
    package var isResumed: Bool

    package init(
        session: String, _ transfer: Transfer, limits: NetworkLimits = [],
        isDiscretionary: Bool = false, isResumed: Bool = true
    ) {
        self.session = session
        self.transfer = transfer
        self.limits = limits
        self.isDiscretionary = isDiscretionary
        self.isResumed = isResumed
    }
}

extension PlannedTask {
    /// The uploaded file.
    package var source: String? {
        switch transfer {
        case .upload(let source, _, _): source
        case .data, .download: nil
        }
    }

    /// The uploaded object.
    package var destination: String? {
        switch transfer {
        case .upload(_, let destination, _), .data(_, let destination): destination
        case .download: nil
        }
    }
}
