package import Content
package import Quantities
package import RunLog

/// Habits of an app that may differ from what the documentation asks.
package struct AppManners: Hashable, Sendable {
    /// How often the app calls a completion handler (B4).
    package var handlerCalls = 1
    /// Whether the app calls a completion handler wherever it hears that there is nothing more,
    /// instead of on the main thread.
    package var callsHandlerAnywhere = false
    /// Whether the app does not say what its fetches have brought.
    package var forgetsFetches = false
    /// What the app does with every downloaded file without a rule of its own.
    package var keepsByName: KeepingByName?
    /// What the app does with downloaded files.
    package var keepings: [Keeping] = []
    /// The time from a launch until the app makes its background sessions (B7).
    package var sessionsAreLateBy = TimeSpan.zero
    /// Whether the app makes each background session twice, although the first one is live (B1).
    /// What the second one hears is lost.
    package var makesSessionsTwice = false
    /// How many objects of the app observe its upload operations (U8).
    package var observersOfOperations = 1
    /// Whether the app holds no resumable transfer, but looks each up in its manager's list.
    package var letsGoOfTransfers = false
    /// Whether the app holds a background task of its own beside each of the engine's.
    package var asksForTimeTwice = false
    /// Whether the app begins another background task when its time is up (B14).
    package var asksForMoreTime = false

    /// What the app does with the temporary file of a download (B3).
    package struct Keeping: Hashable, Sendable {
        /// The task's number among the app's own.
        package var task: UInt64
        package var way: Way
        /// The path in the app's container.
        package var path: String

        package init(_ task: UInt64, _ way: Way, to path: String) {
            self.task = task
            self.way = way
            self.path = path
        }
    }

    /// Moves every download into a folder, as what its request asked for is called.
    package struct KeepingByName: Hashable, Sendable {
        package var folder: String
        package var looksAtStatus: Bool

        package init(in folder: String, looksAtStatus: Bool) {
            self.folder = folder
            self.looksAtStatus = looksAtStatus
        }
    }

    package enum Way: Hashable, Sendable {
        case moved, copied
        /// Moved or copied without a look at the status: it may be an error's body (B8).
        case movedUnread, copiedUnread
        /// Moved after the callback has returned, when the file no longer exists.
        case movedTooLate
    }

    package init() {}
}

/// The files of an app's container, as the app uses them in either world.
package protocol AppFiles: AnyObject {
    /// Moves a file to a path of the container, and replaces any file there.
    func move(_ location: String, to path: String) throws(AppFileError)
    func copy(_ location: String, to path: String) throws(AppFileError)
}

/// The result of moving or copying a file, for the log.
package struct AppFileDeed: Sendable {
    /// The task's number among the app's own.
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
        // The app hears of it, and nothing is lost.
        case .failure(.refused(let reason)): .kept(path: path, because: reason)
        }
    }
}

/// The reason why a file is not where the app wanted it.
package enum AppFileError: Error, Hashable, Sendable {
    case noSuchFile(String)
    /// The disk refused.
    case refused(String)

    package var message: String {
        switch self {
        case .noSuchFile(let location):
            "there is no file \(location): move or copy it before the callback returns"
        case .refused(let reason): reason
        }
    }
}
