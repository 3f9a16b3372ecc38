import Foundation
package import Scenario

/// The scenario files behind the paths of a command line, read whole before anything is played.
package enum ScenarioFiles {
    /// All scenarios under these paths, in the order of the paths and then of the names; every
    /// mistake in any of them in one error.
    package static func read(_ paths: [String]) throws(RunFailure) -> [Scenario] {
        var scenarios: [Scenario] = []
        var mistakes: [String] = []
        for path in paths {
            for file in try files(at: path) {
                guard let data = FileManager.default.contents(atPath: file) else {
                    throw RunFailure("\(file) cannot be read; look at its permissions")
                }
                do throws(ScenarioError) {
                    scenarios.append(try Scenario.read([UInt8](data), path: file))
                } catch {
                    mistakes.append(error.description)
                }
            }
        }
        guard mistakes.isEmpty else { throw RunFailure(mistakes.joined(separator: "\n\n")) }
        return scenarios
    }

    private static func files(at path: String) throws(RunFailure) -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw RunFailure(
                "there is no \(path); give a scenario file or a folder of them, such as Scenarios")
        }
        guard isFolder.boolValue else { return [path] }
        let base = path.hasSuffix("/") ? String(path.dropLast()) : path
        let inside =
            FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        let found = inside.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.sorted()
        guard !found.isEmpty else {
            throw RunFailure("\(path) holds no scenario: none of its files ends in .yaml")
        }
        return found.map { base + "/" + $0 }
    }
}
