import Scenario

/// A plausible bug that can be planted in TransferLab itself, to see whether anything notices it.
package struct Mutant: Hashable, Sendable {
    package let name: String
    /// What the product does wrong, as seen from outside.
    package fileprivate(set) var bug = ""
    /// The statements that it violates.
    package fileprivate(set) var cites: [String] = []
    /// The field bug that it repeats, by its source.
    package fileprivate(set) var fieldBug: String?
    /// The scenario that has to notice it, without `Scenarios/` and `.yaml`.
    package fileprivate(set) var scenario: String?
    /// The tests that have to notice it where no scenario can, as target and suite:
    /// `QueueStorageTests.SettingAsideTests`.
    package fileprivate(set) var tests: String?
    /// Why nothing can notice it, if nothing does and that is as it should be.
    package fileprivate(set) var excuse: String?
    package fileprivate(set) var edits: [Edit] = []
    /// Where it is written.
    let place: MutantPlace

    /// Lines of a source file, and what stands in their place; the word `mutated` there is true
    /// while the mutant is chosen.
    package struct Edit: Hashable, Sendable {
        let path: String
        var removed: [String] = []
        var added: [String] = []
        let place: MutantPlace
    }

    /// The file that it is written in, without its ending: `queue`.
    package var area: String {
        let file = place.file.split(separator: "/").last ?? ""
        return String(file.prefix { $0 != "." })
    }

    /// The target that it changes first: `TransferEngine`.
    var target: String {
        edits.first.map { $0.path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
            ?? ""
    }
}

/// A line of a file with mutants.
struct MutantPlace: Hashable, Sendable, CustomStringConvertible {
    let file: String
    let line: Int

    var description: String { "\(file):\(line)" }

    func mistake(_ message: String) -> Diagnostic {
        Diagnostic(file: file, line: line, column: 1, message: message)
    }
}

/// Reads the mutants of one file. A mutant is its name, lines `key: value`, and edits: `in FILE`,
/// then lines of it after `-`, then those in their place after `+`.
struct MutantReader {
    private let path: String
    private(set) var mutants: [Mutant] = []
    private(set) var mistakes: [Diagnostic] = []

    init(_ text: String, path: String) {
        self.path = path
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            read(line, at: MutantPlace(file: path, line: index + 1))
        }
        for mutant in mutants { review(mutant) }
    }

    private mutating func read(_ line: Substring, at place: MutantPlace) {
        let line = Self.trimmed(line)
        if line.isEmpty || line.hasPrefix("#") { return }
        if let name = Self.after("mutant ", line) {
            mutants.append(Mutant(name: name, place: place))
            return
        }
        guard let last = mutants.indices.last else {
            mistakes.append(place.mistake("the first mutant begins with a line “mutant NAME”"))
            return
        }
        if let file = Self.after("in ", line) {
            mutants[last].edits.append(Mutant.Edit(path: file, place: place))
        } else if line.hasPrefix("-") || line.hasPrefix("+") {
            addLine(line, to: last, at: place)
        } else {
            readKey(line, of: last, at: place)
        }
    }

    private mutating func addLine(_ line: String, to mutant: Int, at place: MutantPlace) {
        let text = Self.trimmed(line.dropFirst())
        guard let edit = mutants[mutant].edits.indices.last else {
            mistakes.append(place.mistake("a line “in FILE” must say which file is edited"))
            return
        }
        if line.hasPrefix("+") {
            mutants[mutant].edits[edit].added.append(text)
        } else if mutants[mutant].edits[edit].added.isEmpty {
            mutants[mutant].edits[edit].removed.append(text)
        } else {
            let path = mutants[mutant].edits[edit].path
            mistakes.append(place.mistake("“-” after “+”; begin another edit with “in \(path)”"))
        }
    }

    private mutating func readKey(_ line: String, of mutant: Int, at place: MutantPlace) {
        let parts = line.split(separator: ":", maxSplits: 1)
        let value = parts.count == 2 ? Self.trimmed(parts[1]) : ""
        switch (parts[0], value.isEmpty) {
        case ("bug", false): mutants[mutant].bug = value
        case ("cites", false):
            mutants[mutant].cites = value.split(separator: ",").map(Self.trimmed)
        case ("field", false): mutants[mutant].fieldBug = value
        case ("scenario", false): mutants[mutant].scenario = value
        case ("tests", false): mutants[mutant].tests = value
        case ("unnoticed", false): mutants[mutant].excuse = value
        default:
            mistakes.append(
                place.mistake(
                    "“\(line)” is no line of a mutant; there are mutant, bug:, cites:, field:, "
                        + "scenario:, tests:, unnoticed:, in, - and +"))
        }
    }

    private mutating func review(_ mutant: Mutant) {
        if mutant.bug.isEmpty {
            mistakes.append(mutant.place.mistake("a line “bug: …” must say what goes wrong"))
        }
        if mutant.edits.isEmpty {
            mistakes.append(mutant.place.mistake("there is no edit; begin one with “in FILE”"))
        }
        for edit in mutant.edits where edit.removed.isEmpty {
            mistakes.append(edit.place.mistake("no line with “-” says what is replaced"))
        }
        if !mutant.edits.contains(where: { $0.added.contains { $0.contains("mutated") } }) {
            mistakes.append(
                mutant.place.mistake(
                    "nothing depends on “mutated”, so the bug would always be there"))
        }
    }

    static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        var end = start
        while let last = end.last, last == " " || last == "\t" { end.removeLast() }
        return String(end)
    }

    private static func after(_ word: String, _ line: String) -> String? {
        line.hasPrefix(word) ? trimmed(line.dropFirst(word.count)) : nil
    }
}
