/// What the phone tells an app's process while it lives, a line each on its standard input. When
/// that ends, the process does.
enum PhoneMessage: Hashable, Sendable {
    case enteredBackground, enteredForeground
    case backgroundTimeExpires(UInt32)

    var line: String {
        switch self {
        case .enteredBackground: "background\n"
        case .enteredForeground: "foreground\n"
        case .backgroundTimeExpires(let task): "expires \(task)\n"
        }
    }

    /// Our own parent wrote it: what cannot be read is a mistake of this house.
    init(line: [UInt8]) {
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        switch (words.first, words.last.flatMap { UInt32($0) }) {
        case ("background", _): self = .enteredBackground
        case ("foreground", _): self = .enteredForeground
        case ("expires", let task?): self = .backgroundTimeExpires(task)
        default: preconditionFailure("the phone told “\(words)”")
        }
    }
}

/// What an app's process asks of its phone, a line each among its events.
enum AppRequest: Hashable, Sendable {
    case beginTask(UInt32)
    case endTask(UInt32)

    var line: String {
        switch self {
        case .beginTask(let task): "begin-task \(task)\n"
        case .endTask(let task): "end-task \(task)\n"
        }
    }

    /// `nil` if the line is an event.
    init?(line: [UInt8]) {
        guard line.first != UInt8(ascii: "{") else { return nil }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        switch (words.first, words.last.flatMap { UInt32($0) }) {
        case ("begin-task", let task?): self = .beginTask(task)
        case ("end-task", let task?): self = .endTask(task)
        default: return nil
        }
    }
}
