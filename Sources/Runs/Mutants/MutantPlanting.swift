import Foundation
import Scenario

/// The sources of a project with all mutants in them, each behind its number.
///
/// One build serves all: the environment chooses which bug a process has.
struct MutantPlanting {
    /// The planted texts by their paths; other files stay as they are.
    private(set) var texts: [String: String] = [:]
    private var mistakes: [Diagnostic] = []

    /// The variable that holds the number of the mutant; without it a process has none.
    static let variable = "TRANSFERLAB_MUTANT"

    /// Reads the sources with `text`, which returns `nil` for a file that is not there.
    init(_ field: MutantField, text: (String) -> String?) throws(RunFailure) {
        var edits: [String: [(number: Int, edit: Mutant.Edit)]] = [:]
        for (index, mutant) in field.mutants.enumerated() {
            for edit in mutant.edits { edits[edit.path, default: []].append((index + 1, edit)) }
        }
        for path in edits.keys.sorted() {
            guard let original = text(path) else {
                mistakes += edits[path, default: []].map {
                    $0.edit.place.mistake("there is no file \(path)")
                }
                continue
            }
            plant(edits[path, default: []], in: original, path: path)
        }
        guard mistakes.isEmpty else { throw RunFailure(mistakes) }
        texts[Self.choice.path] = Self.choice.text
    }

    private mutating func plant(
        _ edits: [(number: Int, edit: Mutant.Edit)], in original: String, path: String
    ) {
        let lines = original.split(separator: "\n", omittingEmptySubsequences: false)
        let trimmed = lines.map(MutantReader.trimmed)
        var replaced: [Int: (count: Int, added: [String])] = [:]
        var taken: [Int: MutantPlace] = [:]
        for (number, edit) in edits {
            let starts = Self.starts(of: edit.removed, in: trimmed)
            guard starts.count == 1, let start = starts.first else {
                let problem =
                    starts.isEmpty
                    ? "is not in \(path); write the line as it stands there"
                    : "is \(starts.count) times in \(path); write more lines around it"
                mistakes.append(edit.place.mistake("“\(edit.removed[0])” \(problem)"))
                continue
            }
            let range = start..<(start + edit.removed.count)
            if let other = range.lazy.compactMap({ taken[$0] }).first {
                mistakes.append(
                    edit.place.mistake(
                        "\(other) edits the same line of \(path); choose another line"))
                continue
            }
            for line in range { taken[line] = edit.place }
            replaced[start] = (range.count, edit.added.map { Self.behind(number, $0) })
        }
        texts[path] = Self.text(lines, replacing: replaced)
    }

    private static func text(
        _ lines: [Substring], replacing: [Int: (count: Int, added: [String])]
    ) -> String {
        var result: [String] = ["internal import \(room)"]
        var index = 0
        while index < lines.count {
            if let edit = replacing[index] {
                result += edit.added
                index += edit.count
            } else {
                result.append(String(lines[index]))
                index += 1
            }
        }
        return result.joined(separator: "\n")
    }

    private static func starts(of run: [String], in lines: [String]) -> [Int] {
        guard run.count <= lines.count else { return [] }
        return (0...(lines.count - run.count)).filter { start in
            run.indices.allSatisfy { lines[start + $0] == run[$0] }
        }
    }

    /// Replaces the word `mutated` by the question whether this mutant is chosen.
    private static func behind(_ number: Int, _ line: String) -> String {
        line.replacing(/\bmutated\b/, with: "isMutated(\(number))")
    }

    private static let room = "Quantities"

    private static let choice = (
        path: "Sources/\(room)/Mutated.swift",
        text: """
        import Foundation

        /// The number of the chosen mutant, or 0.
        public let chosenMutant =
            ProcessInfo.processInfo.environment["\(variable)"].flatMap { Int($0) } ?? 0

        /// A byte for each mutant: 1 once it was asked for. All processes of a call share the
        /// file that the environment names; it outlives a process that is killed.
        @usableFromInline
        nonisolated(unsafe) let reachedMutants: UnsafeMutablePointer<UInt8> = {
            let size = \(MutantReach.size)
            guard let path = ProcessInfo.processInfo.environment["\(MutantReach.variable)"]
            else { return .allocate(capacity: size) }
            let file = open(path, O_RDWR)
            let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
            guard let memory, memory != MAP_FAILED else { fatalError("\\(path) cannot be mapped") }
            return memory.assumingMemoryBound(to: UInt8.self)
        }()

        /// Whether the process has this bug.
        @inlinable
        public func isMutated(_ number: Int) -> Bool {
            reachedMutants[number] = 1
            return chosenMutant == number
        }

        """
    )
}
