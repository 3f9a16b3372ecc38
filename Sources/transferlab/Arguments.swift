import Foundation
import Scenario

/// The words behind a command, taken apart: options with and without a value, and paths.
///
/// Each command says what it knows; everything else is an error that names what was meant. An
/// option with choices may stand alone, or have one of them behind it. Behind `--` there are only
/// paths.
struct Arguments {
    private(set) var paths: [String] = []
    private var values: [String: String] = [:]
    private var switches: Set<String> = []

    init(
        _ words: [String], of command: Command, options: [String] = [],
        switches known: [String] = [], choices: [String: [String]] = [:]
    ) throws(UsageError) {
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
            let name = String(parts[0])
            if known.contains(name) {
                guard parts.count == 1 else {
                    throw UsageError("\(name) takes no value", of: command)
                }
                switches.insert(name)
            } else if let offered = choices[name] {
                try choose(
                    name, given: parts.dropFirst().first.map(String.init), of: offered, &rest,
                    command)
            } else if options.contains(name) {
                let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() ?? ""
                guard !value.isEmpty, parts.count == 2 || !value.hasPrefix("--") else {
                    throw UsageError("\(name) needs a value behind it", of: command)
                }
                guard values.updateValue(value, forKey: name) == nil else {
                    throw UsageError("\(name) stands there twice", of: command)
                }
            } else {
                throw UsageError(
                    "\(command.name) knows no \(name)", meant: name,
                    among: options + known + choices.keys.sorted(),
                    remedy: "./lab help \(command.name) lists its options")
            }
        }
    }

    /// Without a choice behind it, the option has its own name for a value.
    private mutating func choose(
        _ name: String, given: String?, of offered: [String], _ rest: inout ArraySlice<String>,
        _ command: Command
    ) throws(UsageError) {
        if let given, !offered.contains(given) {
            throw UsageError(
                "\(name) is one of \(offered.joined(separator: ", ")), not “\(given)”",
                of: command)
        }
        var choice = given
        if given == nil, let next = rest.first, offered.contains(next) { choice = rest.popFirst() }
        guard values.updateValue(choice ?? name, forKey: name) == nil else {
            throw UsageError("\(name) stands there twice", of: command)
        }
    }

    subscript(_ option: String) -> String? { values[option] }

    func has(_ name: String) -> Bool { switches.contains(name) }

    func seed(
        _ option: String = "--seed", of command: Command
    ) throws(UsageError) -> UInt64? {
        guard let text = values[option] else { return nil }
        guard let seed = UInt64(text) else {
            throw UsageError(
                "\(option) wants a whole number from 0 to \(UInt64.max), not “\(text)”"
                    + (option == "--seed" && text.contains("..") ? "; --seeds wants a range" : ""),
                of: command)
        }
        return seed
    }
}

extension Arguments {
    /// Those of `--seed` or of `--seeds`; `nil` where the scenarios' own are meant.
    func seeds(of command: Command) throws(UsageError) -> [UInt64]? {
        let one = try seed(of: command)
        guard let text = self["--seeds"] else { return one.map { [$0] } }
        guard one == nil else {
            throw UsageError("--seed and --seeds stand there together", of: command)
        }
        let ends = text.split(separator: ".", omittingEmptySubsequences: false)
        guard ends.count == 4, ends[1].isEmpty, ends[2].isEmpty, let first = UInt64(ends[0]),
            let last = UInt64(ends[3]), first <= last
        else {
            throw UsageError(
                "--seeds wants two whole numbers, the lower first, such as 1...20, not “\(text)”",
                of: command)
        }
        guard last - first < UInt64(Self.mostSeeds) else {
            throw UsageError("--seeds names more than \(Self.mostSeeds) seeds", of: command)
        }
        return Array(first...last)
    }

    /// A whole number from 1 on.
    func count(_ option: String, of command: Command) throws(UsageError) -> Int? {
        guard let text = self[option] else { return nil }
        guard let count = Int(text), (1...Self.mostJobs).contains(count) else {
            throw UsageError(
                "\(option) wants a whole number from 1 to \(Self.mostJobs), not “\(text)”",
                of: command)
        }
        return count
    }

    /// The tags of `--filter`.
    func tags(of command: Command) throws(UsageError) -> [String] {
        guard let text = self["--filter"] else { return [] }
        let tags = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard !tags.isEmpty, !tags.contains("") else {
            throw UsageError(
                "--filter wants tags with commas between them, not “\(text)”", of: command)
        }
        return tags
    }

    /// The values of `--case`.
    func cases(of command: Command) throws(UsageError) -> [String] {
        guard let text = self["--case"] else { return [] }
        let values = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard !values.isEmpty, values.allSatisfy({ $0.contains("=") }) else {
            throw UsageError(
                "--case wants values such as profile=apple-lte with commas between them, not "
                    + "“\(text)”", of: command)
        }
        return values
    }

    private static let mostSeeds = 100_000
    private static let mostJobs = 1_024
}

/// A command line that means nothing: what is wrong, and where to read how it is right.
struct UsageError: Error, CustomStringConvertible {
    var description: String

    init(_ problem: String, remedy: String) { description = "\(problem); \(remedy)" }

    /// With what was probably meant by a word that nobody knows.
    init(_ problem: String, meant word: String, among known: [String], remedy: String) {
        let nearest = Spelling.nearest(to: word, among: known)
        self.init(problem + (nearest.map { ", did you mean “\($0)”?" } ?? ""), remedy: remedy)
    }

    init(_ problem: String, of command: Command) {
        self.init(problem, remedy: "./lab help \(command.name) tells how it is used")
    }
}
