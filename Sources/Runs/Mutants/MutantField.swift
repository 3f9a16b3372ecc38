package import Foundation
import Scenario

/// All mutants of a project, in the order of their files; a mutant's number is its position,
/// counted from 1.
package struct MutantField: Sendable {
    package let mutants: [Mutant]

    /// The folder of the mutants of a project.
    static let folder = "Tests/Mutants/Bugs"
    static let ending = ".mutants"

    /// Reads the project's mutants; one error lists the mistakes of all files.
    package init(of root: URL) throws(RunFailure) {
        let folder = root.appending(path: Self.folder).path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let files = names.filter { $0.hasSuffix(Self.ending) }.sorted()
        guard !files.isEmpty else {
            throw RunFailure(
                "there are no mutants in \(folder): none of its files ends in \(Self.ending)")
        }
        var mutants: [Mutant] = []
        var mistakes: [Diagnostic] = []
        for file in files {
            guard let text = try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            else { throw RunFailure("\(folder)/\(file) cannot be read") }
            let reader = MutantReader(text, path: "\(Self.folder)/\(file)")
            mutants += reader.mutants
            mistakes += reader.mistakes
        }
        var places: [String: MutantPlace] = [:]
        for mutant in mutants {
            let earlier = places.updateValue(mutant.place, forKey: mutant.name)
            if let earlier {
                mistakes.append(
                    mutant.place.mistake("the name \(mutant.name) was given at \(earlier)"))
            }
        }
        guard mistakes.isEmpty else { throw RunFailure(mistakes) }
        self.mutants = mutants
    }

    init(_ mutants: [Mutant]) { self.mutants = mutants }

    package func number(of mutant: Mutant) -> Int {
        (mutants.firstIndex { $0.name == mutant.name } ?? -1) + 1
    }
}
