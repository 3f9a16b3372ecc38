import RunPlan
import TransferEngine

/// What the phone tells an app's process while it lives, a line each on its standard input. When
/// that ends, the process does.
enum PhoneMessage: Hashable, Sendable {
    case enteredBackground, enteredForeground
    case backgroundTimeExpires(UInt32)
    case network(NetworkOrder)
    /// Its user has it do something, in the app's own numbers.
    case asks(AppPlan.Command)
    /// The transfer daemon tells it something.
    case daemon(DaemonNews)

    var line: String {
        switch self {
        case .enteredBackground: "background\n"
        case .enteredForeground: "foreground\n"
        case .backgroundTimeExpires(let task): "expires \(task)\n"
        case .network(let order): "network \(MessageText.of(order))\n"
        case .asks(let command): "asks \(Self.text(of: command))\n"
        case .daemon(let news): "daemon \(MessageText.of(news))\n"
        }
    }

    /// Our own parent wrote it: what cannot be read is a mistake of this house.
    init(line: [UInt8]) {
        let parts = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1)
        guard let message = parts.first.flatMap({ Self.message($0, parts.dropFirst().first) })
        else { preconditionFailure("the phone told “\(parts)”") }
        self = message
    }

    private static func message(_ word: Substring, _ rest: Substring?) -> PhoneMessage? {
        switch word {
        case "background": .enteredBackground
        case "foreground": .enteredForeground
        case "expires": rest.flatMap { UInt32($0) }.map { .backgroundTimeExpires($0) }
        case "network":
            rest.flatMap { MessageText.read(NetworkOrder.self, in: $0) }.map { .network($0) }
        case "daemon":
            rest.flatMap { MessageText.read(DaemonNews.self, in: $0) }.map { .daemon($0) }
        case "asks": rest.flatMap { Self.command(in: $0) }.map { .asks($0) }
        default: nil
        }
    }

    private static func text(of command: AppPlan.Command) -> String {
        switch command {
        case .start: "start"
        case .stop: "stop"
        case .doNotStart: "nothing"
        case .item(let step, let item):
            "\(step.rawValue)-\(item.facade.rawValue) \(item.number)"
        case .save(let number): "save \(number)"
        case .deleteAccount(let name): "delete-account \(name)"
        case .move(let number, let index): "move \(number) \(index)"
        case .change(let session, .overwrite(let policy)):
            "overwrites \(session) \(Self.place(of: policy))"
        case .change(let session, .resume(let policy)):
            "resumes-by \(session) \(Self.place(of: policy))"
        case .addPath(let session, let path): "add-path \(session) \(path ?? 0)"
        case .emptyLists: "empty-lists"
        }
    }

    /// Policies have names of several words; a message has numbers.
    private static func place<Policy: CaseIterable & Equatable>(of policy: Policy) -> Int
    where Policy.AllCases == [Policy] {
        Policy.allCases.firstIndex(of: policy) ?? 0
    }

    private static func command(in text: Substring) -> AppPlan.Command? {
        let words = text.split(separator: " ")
        if words.first == "delete-account", words.count == 2 {
            return .deleteAccount(String(words[1]))
        }
        let numbers = words.dropFirst().compactMap { Int($0) }
        guard let word = words.first, numbers.count == words.count - 1 else { return nil }
        switch (word, numbers.count) {
        case ("start", 0): return .start
        case ("stop", 0): return .stop
        case ("nothing", 0): return .doNotStart
        case ("empty-lists", 0): return .emptyLists
        case ("save", 1): return .save(numbers[0])
        case ("add-path", 2):
            return .addPath(numbers[0], path: numbers[1] == 0 ? nil : numbers[1])
        case ("overwrites", 2):
            return .change(numbers[0], .overwrite(OverwritePolicy.allCases[numbers[1]]))
        case ("resumes-by", 2):
            return .change(numbers[0], .resume(ResumePolicy.allCases[numbers[1]]))
        case ("move", 2): return .move(numbers[0], toIndex: numbers[1])
        case (_, 1):
            let parts = word.split(separator: "-").map(String.init)
            guard parts.count == 2, let step = ItemStep(rawValue: parts[0]),
                let facade = Facade(rawValue: parts[1])
            else { return nil }
            return .item(step, ItemName(UInt64(numbers[0]), of: facade))
        default: return nil
        }
    }
}

/// What an app's process asks of its phone or tells its parent of its sockets, a line each among
/// its events.
enum AppRequest: Hashable, Sendable {
    case beginTask(UInt32)
    case endTask(UInt32)
    /// A connection stands, and this is the app's end of it.
    case connected(UInt32, from: SocketAddress)
    /// Nothing will come of a connection any more, and its peer does not know it.
    case abandoned(UInt32)
    /// The store was set aside, and names above these are new from now on.
    case countsOn(sessionsKept: UInt32, transfersKept: UInt32)
    /// Of the transfer daemon.
    case daemon(DaemonRequest)
    /// It has done what follows from so many messages of its phone.
    case hasHeard(UInt64)

    private static let daemonMark = "daemon "

    var line: String {
        switch self {
        case .beginTask(let task): "begin-task \(task)\n"
        case .endTask(let task): "end-task \(task)\n"
        case .connected(let number, let own): "connected \(number) \(own.address) \(own.port)\n"
        case .abandoned(let number): "abandoned \(number)\n"
        case .countsOn(let sessions, let transfers): "counts-on \(sessions) \(transfers)\n"
        case .daemon(let request): "\(Self.daemonMark)\(MessageText.of(request))\n"
        case .hasHeard(let count): "has-heard \(count)\n"
        }
    }

    /// `nil` if the line is an event.
    init?(line: [UInt8]) {
        guard line.first != UInt8(ascii: "{") else { return nil }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix(Self.daemonMark) {
            let words = text.dropFirst(Self.daemonMark.count)
            guard let request = MessageText.read(DaemonRequest.self, in: words) else { return nil }
            self = .daemon(request)
            return
        }
        let words = text.split(separator: " ")
        let numbers = words.dropFirst().compactMap { UInt32($0) }
        switch (words.first, numbers.count) {
        case ("begin-task", 1): self = .beginTask(numbers[0])
        case ("end-task", 1): self = .endTask(numbers[0])
        case ("connected", 3):
            let own = SocketAddress(
                address: numbers[1], port: UInt16(truncatingIfNeeded: numbers[2]))
            self = .connected(numbers[0], from: own)
        case ("abandoned", 1): self = .abandoned(numbers[0])
        case ("counts-on", 2):
            self = .countsOn(sessionsKept: numbers[0], transfersKept: numbers[1])
        case ("has-heard", 1): self = .hasHeard(UInt64(numbers[0]))
        default: return nil
        }
    }
}
