package import Protocols
package import Quantities
package import TransferClient
package import TransferEngine

/// A task that an app makes in one of its background sessions.
package struct PlannedTask: Hashable, Sendable {
    package enum Transfer: Hashable, Sendable {
        /// A file of the app, its address on the server, and whether the address accepts resumable
        /// uploads.
        case upload(String, to: String, isResumable: Bool = false)
        /// Data in memory, which background sessions refuse (B9).
        case data(ByteCount, to: String)
        /// An address on the server.
        case download(String)
        /// Continues the download of another task of the app, by its number there.
        case resumption(of: Int)
    }

    /// The identifier of the background session.
    package var session: String
    package var transfer: Transfer
    /// What the app adds to the request.
    package var method: String?
    package var fields = HTTPFields()
    package var limits: NetworkLimits
    /// Whether the app resumes the task at once; until then a task does nothing.
    package var isResumed: Bool

    package init(
        session: String, _ transfer: Transfer, limits: NetworkLimits = [], isResumed: Bool = true
    ) {
        self.session = session
        self.transfer = transfer
        self.limits = limits
        self.isResumed = isResumed
    }
}

extension PlannedTask {
    /// The uploaded file.
    package var source: String? {
        switch transfer {
        case .upload(let source, _, _): source
        case .data, .download, .resumption: nil
        }
    }

    /// The uploaded object.
    package var destination: String? {
        switch transfer {
        case .upload(_, let address, _), .data(_, let address):
            TaskRequest.object(at: address)
        case .download, .resumption: nil
        }
    }

    /// The request; `nil` if the task continues that of another one.
    package func request(to account: Account) -> TaskRequest? {
        switch transfer {
        case .upload(_, let address, _), .data(_, let address), .download(let address):
            TaskRequest(address, of: account, method: method, fields: fields, limits: limits)
        case .resumption: nil
        }
    }
}

/// How an app makes one of its background sessions.
package struct PlannedBackgroundSession: Hashable, Sendable {
    package var configuration = BackgroundConfiguration()
    package var delegateQueue = DelegateQueue.main

    package init() {}
}
