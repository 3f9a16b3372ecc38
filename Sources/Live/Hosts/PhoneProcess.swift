import CLinux
import Glibc
import TransferHost

/// The command that starts a process of a phone; the path of its orders is added.
package struct ProcessCommand: Hashable, Sendable {
    package var program: String
    package var arguments: [String]

    /// This program itself, with these arguments.
    package static func thisProgram(_ arguments: String...) -> ProcessCommand {
        ProcessCommand(program: "/proc/self/exe", arguments: arguments)
    }
}

/// The parent's handle of a process on a phone. The process never outlives it.
struct PhoneProcess: ~Copyable {
    let events: Descriptor
    let errors: Descriptor
    /// Its standard input. The process ends when the end to write to is closed. The other end is
    /// kept open, so that writing to a dead process breaks no pipe, which would kill this program.
    private let lifeline: DescriptorPipe
    private let identifier: pid_t
    /// Messages for which its pipe had no room yet.
    private var unsaid: [UInt8] = []
    /// The number of lines that it was told.
    private(set) var told: UInt64 = 0
    private var lines = LineBuffer()
    private var lastWords: [UInt8] = []
    private var exit: Exit?

    /// How a process came to its end.
    enum Exit: Hashable, Sendable {
        case status(Int32)
        case signal(Int32)
    }

    /// Lines of the process since the last hearing.
    struct Hearing {
        var lines: [[UInt8]]
        /// The process says no more.
        var isOver: Bool
    }

    private static let lastWordsLimit = 4096

    init(_ command: ProcessCommand, orders: String) throws(SystemError) {
        let lifeline = try DescriptorPipe()
        let events = try DescriptorPipe()
        let errors = try DescriptorPipe()
        try events.reading.doNotBlock()
        try errors.reading.doNotBlock()
        // The parent must not block on a suspended or slow process.
        try lifeline.writing.doNotBlock()
        identifier = try Self.spawn(
            [command.program] + command.arguments + [orders],
            [lifeline.reading.number, events.writing.number, errors.writing.number])
        self.events = events.readingEnd()
        self.errors = errors.readingEnd()
        self.lifeline = lifeline
    }

    deinit { if exit == nil { _ = Self.end(identifier) } }

    /// Returns whole lines only, never one that a kill has cut.
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

    /// Keeps the end of the process's standard error; returns false once that is closed.
    mutating func hearErrors() -> Bool {
        while true {
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = retryingInterrupted { read(errors.number, &chunk, chunk.count) }
            guard count > 0 else { return count < 0 }
            lastWords = (lastWords + chunk[..<count]).suffix(Self.lastWordsLimit)
        }
    }

    /// The end of its standard error, which explains a crash.
    var complaint: String {
        String(decoding: lastWords, as: UTF8.self).replacing(/[ \n]+$/, with: "")
    }

    /// Tells how the process ended, and its complaint.
    mutating func explain(_ exit: Exit) -> String {
        _ = hearErrors()
        return complaint.isEmpty ? exit.description : "\(exit): \(complaint)"
    }

    /// Kills the process unless it has ended already, and returns how it ended. Lines that it wrote
    /// before can still be heard.
    mutating func kill() -> Exit {
        if let exit { return exit }
        let exit = Self.end(identifier)
        self.exit = exit
        return exit
    }

    /// Sends a line; a dead process hears nothing.
    mutating func tell(_ line: String) {
        told += 1
        unsaid += Array(line.utf8)
        sayOn()
    }

    /// Writes as much of the unsaid messages as the pipe takes.
    mutating func sayOn() {
        while !unsaid.isEmpty {
            let count = unsaid.withUnsafeBytes { bytes in
                retryingInterrupted {
                    write(lifeline.writing.number, bytes.baseAddress, bytes.count)
                }
            }
            guard count > 0 else { return }
            unsaid.removeFirst(count)
        }
    }

    /// Whether messages wait for room in its pipe.
    var isHeldUp: Bool { !unsaid.isEmpty }

    /// Suspends the process; returns when it stands still.
    func stop() {
        guard exit == nil, Glibc.kill(identifier, SIGSTOP) == 0 else { return }
        // Not reaped here if it ends instead.
        var information = siginfo_t()
        _ = retryingInterrupted {
            waitid(P_PID, id_t(identifier), &information, WSTOPPED | WEXITED | WNOWAIT)
        }
    }

    func goOn() { if exit == nil { Glibc.kill(identifier, SIGCONT) } }

    /// Kills a process and reaps it at once.
    private static func end(_ identifier: pid_t) -> Exit {
        Glibc.kill(identifier, SIGKILL)
        var status: Int32 = 0
        _ = retryingInterrupted { waitpid(identifier, &status, 0) }
        let signal = status & 0x7f
        return signal == 0 ? .status(status >> 8 & 0xff) : .signal(signal)
    }

    /// Starts a program with these descriptors as its first and only ones.
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
        // In its own group: Ctrl-C is for the parent only.
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
