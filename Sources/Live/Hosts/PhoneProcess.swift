import CLinux
import Glibc

/// How a process of a phone is started: the program, and the arguments before the path of its
/// orders.
package struct ProcessCommand: Hashable, Sendable {
    package var program: String
    package var arguments: [String]

    /// This very program, asked to be it by these arguments.
    package static func thisProgram(_ arguments: String...) -> ProcessCommand {
        ProcessCommand(program: "/proc/self/exe", arguments: arguments)
    }

    package init(program: String, arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }
}

/// The parent's handle of a process on a phone: hears its events, kills it, and never leaves it
/// behind.
struct PhoneProcess: ~Copyable {
    let events: Descriptor
    let errors: Descriptor
    /// The process ends by itself when this end of its standard input is closed.
    private let lifeline: Descriptor
    /// The other end of it, which nobody reads here: as long as it is open, telling a process that
    /// has just gone breaks no pipe, and this program does not die of that.
    private let farEnd: Descriptor
    private let identifier: pid_t
    /// What it was told and its pipe had no room for.
    private var unsaid: [UInt8] = []
    /// How many lines it was told.
    private(set) var told: UInt64 = 0
    private var lines = LineBuffer()
    private var lastWords: [UInt8] = []
    /// Known once the process is gone.
    private var exit: Exit?

    /// How a process came to its end.
    enum Exit: Hashable, Sendable {
        case status(Int32)
        case signal(Int32)
    }

    /// What the process said since it was last asked.
    struct Hearing {
        var lines: [[UInt8]]
        /// It says no more.
        var isOver: Bool
    }

    private static let lastWordsLimit = 4096

    init(_ command: ProcessCommand, orders: String) throws(SystemError) {
        let lifeline = try DescriptorPipe()
        let events = try DescriptorPipe()
        let errors = try DescriptorPipe()
        try events.reading.doNotBlock()
        try errors.reading.doNotBlock()
        // Nobody waits for a process that stands still, or that waits to be listened to.
        try lifeline.writing.doNotBlock()
        identifier = try Self.spawn(
            [command.program] + command.arguments + [orders],
            [lifeline.reading.number, events.writing.number, errors.writing.number])
        self.events = events.reading
        self.errors = errors.reading
        self.lifeline = lifeline.writing
        farEnd = lifeline.reading
    }

    deinit { if exit == nil { _ = Self.end(identifier) } }

    /// Whole lines only: one that a kill has cut off never comes out.
    mutating func hear() -> Hearing {
        while true {
            var chunk = [UInt8](repeating: 0, count: 64 * 1024)
            let count = retryingInterrupted { read(events.number, &chunk, chunk.count) }
            guard count > 0 else {
                return Hearing(lines: lines.takeLines(), isOver: count == 0)
            }
            lines.append(chunk[..<count])
        }
    }

    /// Keeps the end of what the process writes to its standard error; false once that is closed.
    mutating func hearErrors() -> Bool {
        while true {
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = retryingInterrupted { read(errors.number, &chunk, chunk.count) }
            guard count > 0 else { return count < 0 }
            lastWords = (lastWords + chunk[..<count]).suffix(Self.lastWordsLimit)
        }
    }

    /// The end of its standard error: what a crash is explained by.
    var complaint: String {
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: " ") }
        let end = lastWords.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? 0
        return String(decoding: lastWords[..<end], as: UTF8.self)
    }

    /// Ends the process at once, if it has not ended already, and tells how it ended.
    ///
    /// What it said before can still be heard; the handle stays good for that.
    mutating func kill() -> Exit {
        if let exit { return exit }
        let exit = Self.end(identifier)
        self.exit = exit
        return exit
    }

    /// Tells it a line; a process that is gone hears nothing.
    mutating func tell(_ line: String) {
        told += 1
        unsaid += Array(line.utf8)
        sayOn()
    }

    /// As much as there is room for of what it was told and has not heard.
    mutating func sayOn() {
        while !unsaid.isEmpty {
            let count = unsaid.withUnsafeBytes { bytes in
                retryingInterrupted { write(lifeline.number, bytes.baseAddress, bytes.count) }
            }
            guard count > 0 else { return }
            unsaid.removeFirst(count)
        }
    }

    /// It has to be told on as soon as it has heard some.
    var isHeldUp: Bool { !unsaid.isEmpty }

    /// Lets it stand still; returns when it does.
    func stop() {
        guard exit == nil, Glibc.kill(identifier, SIGSTOP) == 0 else { return }
        // Without being buried here, should it end instead.
        var information = siginfo_t()
        _ = retryingInterrupted {
            waitid(P_PID, id_t(identifier), &information, WSTOPPED | WEXITED | WNOWAIT)
        }
    }

    func goOn() { if exit == nil { Glibc.kill(identifier, SIGCONT) } }

    /// A killed process is gone at once, so that waiting for it is no waiting.
    private static func end(_ identifier: pid_t) -> Exit {
        Glibc.kill(identifier, SIGKILL)
        var status: Int32 = 0
        _ = retryingInterrupted { waitpid(identifier, &status, 0) }
        let signal = status & 0x7f
        return signal == 0 ? .status(status >> 8 & 0xff) : .signal(signal)
    }

    /// Starts a program with these descriptors as its first three, and no others.
    private static func spawn(
        _ words: [String], _ descriptors: [Int32]
    ) throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, Int32(descriptors.count))
        // A group of its own: an interruption from the terminal is the parent's business.
        posix_spawnattr_setpgroup(&attributes, 0)
        var nothing = sigset_t()
        sigemptyset(&nothing)
        posix_spawnattr_setsigmask(&attributes, &nothing)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))

        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var identifier: pid_t = 0
        let code = posix_spawn(
            &identifier, words[0], &actions, &attributes, &arguments, environ)
        guard code == 0 else { throw SystemError("start \(words[0])", code: code) }
        return identifier
    }
}

extension PhoneProcess.Exit: CustomStringConvertible {
    var description: String {
        switch self {
        case .status(let status): "exit status \(status)"
        case .signal(let signal): "signal \(signal), \(String(cString: strsignal(signal)))"
        }
    }
}
