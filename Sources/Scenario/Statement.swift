/// A statement of the behaviour: what the engine must do, or what must hold in every run. Tests and
/// scenarios cite its number.
package struct Statement: Hashable, Sendable, Codable {
    /// The number, such as `A7`: the letter of the subject, and the place there.
    package var number: String
    /// One short sentence without a full stop.
    package var text: String

    /// All statements in order, from A1 to L5.
    package static let all: [Statement] = subjects.flatMap { letter, _, texts in
        texts.enumerated().map { Statement(number: "\(letter)\($0 + 1)", text: $1) }
    }

    /// The statements by the letter of their subject.
    static let subjects: [(letter: String, subject: String, texts: [String])] = [
        ("A", "The transfer queue", queue),
        ("P", "Persistent sessions of the queue", persistent),
        ("U", "Upload operations", operations),
        ("B", "Background transfers", background),
        ("K", "Resumable transfers", resumable),
        ("S", "Safety: what no run may break", safety),
        ("L", "Liveness: what must happen in the end, once it can", liveness),
    ]

    /// The table of all statements, as Markdown.
    static var markdown: String {
        subjects.map { letter, subject, texts in
            let rows = texts.enumerated().map { "| \(letter)\($0 + 1) | \($1) |" }
            return "## \(letter). \(subject)\n\n| Number | Statement |\n|---|---|\n"
                + rows.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    private static let queue = [
        "Will and did callbacks come in pairs, around activation and running",
        "After a failed connection or login, no callback says running started",
        "Sessions run one at a time, in the order in which they were enqueued",
        "Cancel leaves a session in the queue, and only run(at:) runs it again",
        "Stop makes a session wait until the others have had their turn",
        "A paused session stays active and blocks the queue until it is resumed",
        "run(at:) preempts the active session, which resumes afterwards",
        "The queue starts and stops at once, and continues where it was",
        "A session is stored with its account from the moment it is enqueued",
        "Neither a running session nor an account in use can be deleted",
        "Transfers stop when background time is up, and resume in the foreground",
        "Every delegate method is optional, and so is the delegate",
        "Remote paths are relative to the docroot; a path out of it is refused",
        "The queue may be called from any thread; a model belongs to one thread",
        "Policies for overwriting, resuming and rate do what is documented",
        "Errors keep their numbers; transient errors are retried seven times",
        "Nothing can be transferred before the engine is initialised",
        "To be enqueued, a session needs an account, a direction and a file",
        "A stopped queue has no timers, no traffic and no callbacks except edits",
        "An ordinary session connects, transfers its files and disconnects",
        "A file that fails stops no other; then its session ends with error 27",
        "The app can see whether the queue runs, and is told when that changes",
        "Requests go to the account's port, and carry its user and password",
        "What else holds an app awake is neither used nor disturbed",
        "A row shows state, files, error and what it waits for, after any launch",
        "Each request is answered once, by the number it made or the reason",
    ]

    private static let persistent = [
        "A persistent session is enqueued without any paths",
        "Once connected, it accepts paths until it fails or is ended",
        "It keeps its connection open however many files have passed",
        "Its paths are not stored: after a failure or a restart it is empty",
        "Its life cycle and callbacks are those of any session",
        "File callbacks do not mean success; several files may move at once",
        "Cancel closes its connection, and run(at:) runs it again",
    ]

    private static let operations = [
        "An operation is in one list: ongoing, completed or failed",
        "Completed operations stay listed for 10 s, failed ones for 60 s",
        "One notification reports added, progress, completed and failed",
        "Progress is a fraction from 0 to 1, and an operation names its file",
        "A cancelled operation counts as failed; a whole list can be cancelled",
        "A failed operation can be retried as it was, while its token lasts",
        "Operations end with their process, and a retry begins at byte 0",
        "Every observer hears of every change, also when a list is left",
        "An operation has its progress in bytes, and a task for each attempt",
    ]

    private static let background = [
        "An identifier has one live session; a task starts when it is resumed",
        "Events come in order; after a relaunch the handler comes first",
        "A downloaded file is there only until its callback returns",
        "The system's completion handler is called once, on the main thread",
        "Transfers continue in the background and after a crash or a reboot",
        "Force-quit cancels transfers, and the next launch is told",
        "A relaunched app gets all events, even those before its delegate is set",
        "Only transport errors fail a task; a refusal is a status, not an error",
        "Only uploads from a file and downloads are allowed",
        "The system retries a request that timed out for up to 7 days",
        "Tasks made in the background are delayed; each delay doubles",
        "A download resumes with ranges and a validator, or starts over",
        "Cellular is used only without Wi-Fi, and only where it is allowed",
        "Background time depends on the system; an app that overruns is killed",
        "Each session has its own networks, timeouts, launch events and queue",
        "A task carries any address, method and fields, and tells of the answer",
        "A session lists its tasks of all launches, each with its request",
        "An invalidated session ends with its tasks, and is heard no more",
        "The body of a refusal is a finished download, which an app may keep",
        "A download that failed or was put off goes on in another task",
        "A background fetch runs the app for a while, and is answered in time",
        "A new task at every launch downloads again, unless the app asks first",
        "Callbacks tell of the new bytes, on the queue of the delegate",
    ]

    private static let resumable = [
        "A transfer is ONGOING or SUSPENDED, and ends as NOENTRY",
        "A bucket's manager lists its transfers until they are finished",
        "Suspending takes effect when the chunk in flight has finished",
        "iOS suspends on home or lock, Android goes on while the process lives",
        "A file that changed while suspended is neither resumed nor published",
        "A recoverable error suspends a transfer; at the start, iOS ends it",
        "Of several uploads to one object, the last to complete wins entirely",
        "A finished upload replaces the old body in one step",
        "A body may fill the storage; a larger body is a clear error",
        "Progress comes by callback and on demand, in bytes of the total",
        "Errors are numbered from 801 to 814, each with its meaning",
        "Uploads are created, filled by ranges and committed over REST",
        "Uploads to one object may run at once; their order is up to the app",
    ]

    private static let safety = [
        "A published object equals one snapshot of its source, byte for byte",
        "Bytes of two versions of a file are never joined",
        "An append begins where the server acknowledged, without repeating bytes",
        "Only an explicit run or retry leaves an end state",
        "Progress stays within the total, and never goes back in an attempt",
        "An upload has at most one live writer",
        "A crash at any write of the store loses nothing that was promised",
        "A transfer publishes at most once, even if answers are lost",
        "Callbacks follow their grammar and reach their owner",
        "Retries stay within their budget and wait for their pauses",
        "Background tasks end in time; completion handlers are called once",
        "Tokens are refreshed one at a time; clock jumps move no timer",
        "No byte goes over a forbidden network or from a suspended app",
        "One session is active at a time; the queue keeps its order",
        "Same scenario, same seed: same digest, in every build and process",
        "The network obeys physics, and its packet counts balance",
        "A phone shows, suspends and ends its apps as its system promises",
    ]

    private static let liveness = [
        "Every accepted transfer ends, or reaches a state the user can act on",
        "No error is retried in an endless loop",
        "Every suspended app is released or resumed in the end",
        "An item that fails never blocks the others",
        "Lists and staging areas are reclaimed in the end",
    ]
}
