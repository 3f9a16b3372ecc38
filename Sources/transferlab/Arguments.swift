import Foundation
import Scenario

/// The parsed arguments of a command: options with and without a value, and paths.
/// Each command lists the options that it knows; any other option is an error that suggests the
/// nearest known one. An option with choices may be followed by one of them. After `--` there are
/// only paths.
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
                    throw UsageError("\(name) needs a value", of: command)
                }
                guard values.updateValue(value, forKey: name) == nil else {
                    throw UsageError("\(name) was given twice", of: command)
                }
            } else {
                throw UsageError(
                    "\(command.name) has no option \(name)", meant: name,
                    among: options + known + choices.keys.sorted(),
                    remedy: "./lab help \(command.name) lists its options")
            }
        }
    }

    /// Returns the choice after an option; without one, the value is the option's own name.
    private mutating func choose(
        _ name: String, given: String?, of offered: [String], _ rest: inout ArraySlice<String>,
        _ command: Command
    ) throws(UsageError) {
        if let given, !offered.contains(given) {
            throw UsageError(
                "\(name) takes one of \(offered.joined(separator: ", ")), not “\(given)”",
                of: command)
        }
        var choice = given
        if given == nil, let next = rest.first, offered.contains(next) { choice = rest.popFirst() }
        guard values.updateValue(choice ?? name, forKey: name) == nil else {
            throw UsageError("\(name) was given twice", of: command)
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
                "\(option) takes a whole number from 0 to \(UInt64.max), not “\(text)”"
                    + (option == "--seed" && text.contains("..")
                        ? "; use --seeds for a range" : ""),
                of: command)
        }
        return seed
    }
}

extension Arguments {
    /// Returns the seeds of `--seed` or `--seeds`; `nil` means the scenarios' own seeds.
    func seeds(of command: Command) throws(UsageError) -> [UInt64]? {
        let one = try seed(of: command)
        guard let text = self["--seeds"] else { return one.map { [$0] } }
        guard one == nil else {
            throw UsageError("--seed and --seeds exclude each other", of: command)
        }
        let ends = text.split(separator: ".", omittingEmptySubsequences: false)
        guard ends.count == 4, ends[1].isEmpty, ends[2].isEmpty, let first = UInt64(ends[0]),
            let last = UInt64(ends[3]), first <= last
        else {
            throw UsageError(
                "--seeds takes two whole numbers, the lower first, such as 1...20, not “\(text)”",
                of: command)
        }
        guard last - first < UInt64(Self.mostSeeds) else {
            throw UsageError("--seeds names more than \(Self.mostSeeds) seeds", of: command)
        }
        return Array(first...last)
    }

    /// Returns the option's whole number, at least 1.
    func count(_ option: String, of command: Command) throws(UsageError) -> Int? {
        guard let text = self[option] else { return nil }
        guard let count = Int(text), (1...Self.mostJobs).contains(count) else {
            throw UsageError(
                "\(option) takes a whole number from 1 to \(Self.mostJobs), not “\(text)”",
                of: command)
        }
        return count
    }

    /// Returns the tags of `--filter`.
    func tags(of command: Command) throws(UsageError) -> [String] {
        guard let text = self["--filter"] else { return [] }
        let tags = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard !tags.isEmpty, !tags.contains("") else {
            throw UsageError(
                "--filter takes tags separated by commas, not “\(text)”", of: command)
        }
        return tags
    }

    /// Returns the values of `--case`.
    func cases(of command: Command) throws(UsageError) -> [String] {
        guard let text = self["--case"] else { return [] }
        let values = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard !values.isEmpty, values.allSatisfy({ $0.contains("=") }) else {
            throw UsageError(
                "--case takes values such as profile=apple-lte, separated by commas, not "
                    + "“\(text)”", of: command)
        }
        return values
    }

    private static let mostSeeds = 100_000
    private static let mostJobs = 1_024
}

/// A wrong command line: what is wrong, and where to find help.
struct UsageError: Error, CustomStringConvertible {
    var description: String

    init(_ problem: String, remedy: String) { description = "\(problem); \(remedy)" }

    /// Adds the nearest known word to an error about an unknown word.
    init(_ problem: String, meant word: String, among known: [String], remedy: String) {
        let nearest = Spelling.nearest(to: word, among: known)
        self.init(problem + (nearest.map { ", did you mean “\($0)”?" } ?? ""), remedy: remedy)
    }

    init(_ problem: String, of command: Command) {
        self.init(problem, remedy: "./lab help \(command.name) explains its use")
    }
}
