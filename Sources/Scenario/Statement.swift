/// A statement of the behaviour: what the engine must do, or what must hold in every run. Tests and
/// scenarios cite it by its number; here stands, once, what the number means.
package struct Statement: Hashable, Sendable, Codable {
    /// `A7`: the letter of its subject, and its place there.
    package var number: String
    /// In one short sentence without an end.
    package var text: String

    /// All there are, in their order: A1 … L5.
    package static let all: [Statement] = subjects.flatMap { letter, _, texts in
        texts.enumerated().map { Statement(number: "\(letter)\($0 + 1)", text: $1) }
    }

    /// By their letters.
    static let subjects: [(letter: String, subject: String, texts: [String])] = [
        ("A", "The transfer queue", queue),
        ("P", "Persistent sessions of the queue", persistent),
        ("U", "Upload operations", operations),
        ("B", "Background transfers", background),
        ("K", "Resumable transfers", resumable),
        ("S", "Safety: what no run may break", safety),
        ("L", "Liveness: what every run comes to, once it can", liveness),
    ]

    /// All of them for people, as Markdown.
    static var markdown: String {
        subjects.map { letter, subject, texts in
            let rows = texts.enumerated().map { "| \(letter)\($0 + 1) | \($1) |" }
            return "## \(letter). \(subject)\n\n| Number | Statement |\n|---|---|\n"
                + rows.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    private static let queue = [
        "Callbacks pair will with did, around activation and around running",
        "A failure to connect or to log in never tells that running started",
        "Sessions run one at a time, in the order in which they were enqueued",
        "Cancel leaves a session in the queue, and only run(at:) runs it again",
        "Stop lets a session wait until the others have had their turn",
        "A paused session stays active and blocks the queue until it is resumed",
        "run(at:) goes before the active session, which resumes afterwards",
        "The queue starts and stops at once, and picks up where it was",
        "What is enqueued is kept with its account from that moment on",
        "A session that runs and an account in use cannot be deleted",
        "Transfers stop when background time is up, and go on in front",
        "Every delegate method is optional, and nothing needs a delegate",
        "Remote paths are relative to the docroot; one that leaves it is refused",
        "The queue may be called from any thread; a model belongs to one",
        "Policies for overwriting, resuming and rate mean what was published",
        "Errors keep their numbers; the passing ones are retried, seven times",
        "Nothing can be transferred before the engine is initialised",
        "To be enqueued, a session needs an account, a direction and a file",
        "A stopped queue has no timer, no traffic and no callbacks but of edits",
        "An ordinary session connects, transfers its files and disconnects",
    ]

    private static let persistent = [
        "A persistent session is enqueued without any paths",
        "Once connected it takes paths, until it fails or is ended",
        "It keeps its connection open however many files have passed",
        "Its paths are not kept: after a failure or a restart it is empty",
        "Its life cycle and its callbacks are those of any session",
        "File callbacks do not tell success; several files may move at once",
        "Cancel closes its connection, and run(at:) runs it again",
    ]

    private static let operations = [
        "An operation is in one list: ongoing, completed or failed",
        "A completed one stays listed for 10 s, a failed one for 60 s",
        "One notification tells of added, progress, completed and failed",
        "Progress is a fraction from 0 to 1, and an operation names its file",
        "A cancelled operation ends in failed; cancelling a whole list is safe",
        "A failed operation can be retried as it was, while its token lasts",
        "Operations end with the process, and a retry begins at byte 0",
    ]

    private static let background = [
        "An identifier has one live session, and a task starts when resumed",
        "Events come in their order; after a relaunch the handler comes first",
        "A downloaded file is there only until its callback returns",
        "The system's completion handler is called once, on the main thread",
        "Transfers go on when the app is behind, gone or crashed, and reboot too",
        "Force-quit cancels transfers, and the next launch hears of it",
        "A relaunched app gets all events, those before its delegate too",
        "Only transport fails a task; a refusal comes as a status, not an error",
        "Only uploads from a file and downloads are allowed",
        "The system retries a request that timed out, for 7 days",
        "Tasks made in the background are delayed, twice as long each time",
        "A download resumes with ranges and a validator, or starts anew",
        "Cellular is used only without Wi-Fi, and only where it is allowed",
        "Background time depends on the system, and overrunning it kills",
    ]

    private static let resumable = [
        "A transfer is NOENTRY, ONGOING or SUSPENDED, and NOENTRY ends it",
        "A bucket's manager lists its transfers until they are finished",
        "Suspending takes effect when the chunk in flight has finished",
        "iOS suspends on home or lock, Android goes on while the process lives",
        "A file that changed while suspended is neither resumed nor published",
        "A recoverable error suspends; on iOS one at the start ends a transfer",
        "Of several uploads to one object, the last to complete wins whole",
        "A finished upload replaces the old body in one step",
        "A body may be as large as the storage; beyond that is a clear error",
        "Progress is told by callback and on demand, in bytes of the total",
        "Errors are numbered from 801 to 814, each with its meaning",
        "Uploads are made, filled by ranges and committed over REST",
    ]

    private static let safety = [
        "What is published equals one snapshot of its source, byte for byte",
        "Bytes of two versions of a file are never joined",
        "An append begins where the server acknowledged, and repeats nothing",
        "An end is left only by an explicit run or retry",
        "Progress stays within the total, and in an attempt never goes back",
        "An upload has at most one live writer",
        "A crash at any write of the store loses nothing that was promised",
        "A transfer publishes at most once, whatever answers are lost",
        "Callbacks follow their grammar and reach their owner",
        "Retries keep their budget and their pauses",
        "Background tasks end in time, and completion handlers are called once",
        "One token refresh at a time, and no jump of a clock moves a timer",
        "No byte goes over a network not allowed, nor from a suspended app",
        "One session is active at a time, and the queue keeps its order",
        "Same scenario, same seed: same digest, in every build and process",
        "The network obeys physics, and its books balance",
    ]

    private static let liveness = [
        "Every accepted transfer comes to an end, or to a state one can act on",
        "No error is met in an endless loop",
        "Every suspended app is released or resumed in the end",
        "An item that fails never blocks the others",
        "Lists and staging areas are reclaimed in the end",
    ]
}
