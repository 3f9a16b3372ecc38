package import Content
package import Quantities
package import RunLog

/// How an app does what every app does, where it does so in a way of its own: as the documentation
/// asks, or not.
package struct AppManners: Hashable, Sendable {
    /// How often it calls a completion handler that it was given (B4).
    package var handlerCalls = 1
    /// What it does with the files that its downloads bring.
    package var keepings: [Keeping] = []
    /// So long after a launch it makes its background sessions (B7).
    package var sessionsAreLateBy = TimeSpan.zero
    /// It makes each of them a second time, although the first one is live (B1).
    package var makesSessionsTwice = false

    /// What becomes of the temporary file of a download (B3).
    package struct Keeping: Hashable, Sendable {
        /// By its number among the app's own.
        package var task: UInt64
        package var way: Way
        /// In the app's container.
        package var path: String

        package init(_ task: UInt64, _ way: Way, to path: String) {
            self.task = task
            self.way = way
            self.path = path
        }
    }

    package enum Way: Hashable, Sendable {
        case moved, copied
        /// Once the callback has returned, when the file is no longer there.
        case movedTooLate
    }

    package init() {}
}

/// What an app does with the files of its container by itself, in either world.
package protocol AppFiles: AnyObject {
    /// What stands at a path of the container then is gone.
    func move(_ location: String, to path: String) throws(AppFileError)
    func copy(_ location: String, to path: String) throws(AppFileError)
}

/// What came of it, for the log.
package struct AppFileDeed: Sendable {
    /// By its number among the app's own.
    package let task: UInt64
    private let path: String
    private let outcome: Result<[ContentRange], AppFileError>

    package init(
        _ task: UInt64, _ path: String, _ outcome: Result<[ContentRange], AppFileError>
    ) {
        self.task = task
        self.path = path
        self.outcome = outcome
    }

    package func fact(of transfer: TransferName) -> FileFact {
        switch outcome {
        case .success(let content): .moved(transfer, to: path, content)
        case .failure(.noSuchFile(let location)):
            .lost(
                transfer, path: path, because: AppFileError.noSuchFile(location).message)
        // The app knows, and nothing is lost.
        case .failure(.refused(let reason)): .kept(path: path, because: reason)
        }
    }
}

/// Why a file is not where the app wanted it.
package enum AppFileError: Error, Hashable, Sendable {
    case noSuchFile(String)
    /// The disk does not do it.
    case refused(String)

    package var message: String {
        switch self {
        case .noSuchFile(let location):
            "there is no file \(location): move or copy it before the callback returns"
        case .refused(let reason): reason
        }
    }
}
