import Foundation
import Runs
import Scenario

/// The parsed arguments of a command: options with and without a value, and paths.
/// An option that the command does not list is an error that suggests the nearest known one. An
/// option with choices may be followed by one of them. After `--` there are only paths.
struct Arguments {
    let command: Command
    /// The command line after the command's name, unparsed.
    let words: [String]
    private(set) var paths: [String] = []
    private var values: [String: String] = [:]
    private var switches: Set<String> = []

    init(_ words: [String], of command: Command) throws(UsageError) {
        self.command = command
        self.words = words
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                paths += rest
                return
            }
            guard word.hasPrefix("-") else {
                paths.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let given = parts.count == 2 ? String(parts[1]) : nil
            try read(String(parts[0]), given, &rest)
        }
    }

    /// Reads an option; `given` is its value after `=`.
    private mutating func read(
        _ name: String, _ given: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        if command.switches.contains(name) {
            try require(given == nil, "\(name) takes no value")
            switches.insert(name)
        } else if let option = command.options.first(where: { $0.name == name }) {
            try set(name, to: try value(of: option, given, &rest))
        } else {
            throw UsageError(
                "\(command.name) has no option \(name)", meant: name, among: command.optionNames,
                remedy: "./lab help \(command.name) lists its options")
        }
    }

    /// Returns the option's value. Without a word, an optional value is the option's own name.
    private func value(
        of option: CommandOption, _ given: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        var offered: [String]?
        if case .oneOf(let words) = option.value { offered = words }
        if option.isValueOptional, given == nil, rest.first.map({ offered?.contains($0) }) != true {
            return option.name
        }
        let value = given ?? rest.popFirst() ?? ""
        if let offered {
            try require(
                offered.contains(value),
                "\(option.name) takes one of \(offered.joined(separator: ", ")), not “\(value)”")
        }
        try require(
            !value.isEmpty && (given != nil || !value.hasPrefix("--")),
            "\(option.name) needs a value")
        return value
    }

    private mutating func set(_ name: String, to value: String) throws(UsageError) {
        let earlier = values.updateValue(value, forKey: name)
        try require(earlier == nil, "\(name) was given twice")
    }

    subscript(_ option: String) -> String? { values[option] }

    /// Whether an option of any kind was given.
    func has(_ name: String) -> Bool { switches.contains(name) || values[name] != nil }
}

// MARK: What commands ask for

extension Arguments {
    /// Makes an error about this command line, which points to the command's help.
    func wrong(_ problem: String) -> UsageError {
        UsageError(problem, remedy: "./lab help \(command.name) explains its use")
    }

    /// Returns how the command shows its results, by `--json` and `--quiet`.
    func form() throws(UsageError) -> OutputForm {
        try require(
            !has("--json") || !has("--quiet"),
            "--json and --quiet exclude each other, because JSON always has everything")
        return has("--json") ? .json : has("--quiet") ? .failures : .lines
    }

    func require(
        _ condition: Bool, _ problem: @autoclosure () -> String
    ) throws(UsageError) {
        guard condition else { throw wrong(problem()) }
    }

    /// Returns the paths of scenarios, of which there must be at least one.
    func scenarioPaths() throws(UsageError) -> [String] {
        try require(!paths.isEmpty, "\(command.name) needs a scenario file or a folder")
        return paths
    }

    /// Returns the only path; `what` says what it should name.
    func onlyPath(_ what: String) throws(UsageError) -> String {
        try require(paths.count == 1, "\(command.name) needs \(what)")
        return paths[0]
    }

    /// Returns the option's whole number; `unit` is `of bytes`, for example.
    func number<Number: FixedWidthInteger>(
        _ option: String, _ unit: String? = nil, in range: ClosedRange<Number>
    ) throws(UsageError) -> Number? {
        guard let text = self[option] else { return nil }
        guard let number = Number(text), range.contains(number) else {
            throw wrong(
                "\(option) takes a whole number\(unit.map { " \($0)" } ?? "") from "
                    + "\(range.lowerBound) to \(range.upperBound), not “\(text)”")
        }
        return number
    }

    func seed(_ option: String = "--seed") throws(UsageError) -> UInt64? {
        try number(option, in: 0...UInt64.max)
    }

    /// Returns the seeds of `--seed` or `--seeds`; `nil` means the scenarios' own seeds.
    func seeds() throws(UsageError) -> [UInt64]? {
        if let text = self["--seed"], text.contains("..") {
            throw wrong("--seed takes one whole number, not “\(text)”; use --seeds for a range")
        }
        let one = try seed()
        guard let text = self["--seeds"] else { return one.map { [$0] } }
        try require(one == nil, "--seed and --seeds exclude each other")
        let ends = text.split(separator: ".", omittingEmptySubsequences: false)
        guard ends.count == 4, ends[1].isEmpty, ends[2].isEmpty, let first = UInt64(ends[0]),
            let last = UInt64(ends[3]), first <= last
        else {
            throw wrong(
                "--seeds takes two whole numbers, the lower first, such as 1...20, not “\(text)”")
        }
        let most: UInt64 = 100_000
        try require(last - first < most, "--seeds names more than \(most) seeds")
        return Array(first...last)
    }

    /// Returns a small whole number of at least 1.
    func count(_ option: String) throws(UsageError) -> Int? {
        try number(option, in: 1...1_024)
    }

    /// Returns how many runs to play in parallel; by default, one per core.
    func jobs() throws(UsageError) -> Int {
        try count("--jobs") ?? ProcessInfo.processInfo.activeProcessorCount
    }

    /// Returns the parts of a list separated by commas.
    func list(_ option: String) -> [String]? {
        self[option]?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

/// How a command shows its results.
enum OutputForm {
    case lines, json
    /// Lines about failures alone.
    case failures
}

/// A wrong command line: what is wrong, and where to find help.
struct UsageError: Error, CustomStringConvertible {
    var description: String

    init(_ problem: String, remedy: String) { description = "\(problem); \(remedy)" }

    /// Adds the nearest known word to an error about an unknown word.
    init(_ problem: String, meant word: String, among known: [String], remedy: String) {
        self.init(problem + Spelling.question(about: word, among: known), remedy: remedy)
    }
}
