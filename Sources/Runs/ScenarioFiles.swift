import Foundation
package import Scenario

/// The scenario files at the paths of a command line, all read before anything is played.
package enum ScenarioFiles {
    /// Returns all scenarios under these paths, each once, in the order of the paths, the names and
    /// the cases of a file. One error lists the mistakes of all files.
    package static func read(_ paths: [String]) throws(RunFailure) -> [Scenario] {
        var scenarios: [Scenario] = []
        var failures: [RunFailure] = []
        var known: Set<String> = []
        let traces = TraceShelf(opening: TraceFile.read)
        for path in paths {
            let found: [String]
            do throws(RunFailure) { found = try files(at: path) } catch {
                failures.append(error)
                continue
            }
            for file in found {
                let url = URL(filePath: file).resolvingSymlinksInPath()
                guard known.insert(url.path).inserted else { continue }
                do throws(RunFailure) { scenarios += try cases(in: file, traces) } catch {
                    failures.append(error)
                }
            }
        }
        guard failures.isEmpty else { throw RunFailure(all: failures) }
        return scenarios
    }

    private static func cases(
        in file: String, _ traces: TraceShelf
    ) throws(RunFailure) -> [Scenario] {
        let bytes = try bytes(of: file)
        return try RunFailure.explaining { () throws(ScenarioError) in
            try Scenario.cases(
                bytes, path: file,
                parts: { FileManager.default.contents(atPath: $0).map { [UInt8]($0) } },
                traces: traces)
        }
    }

    private static func bytes(of file: String) throws(RunFailure) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw RunFailure("\(file) cannot be read; name a file that you may read")
        }
        return [UInt8](data)
    }

    private static func files(at path: String) throws(RunFailure) -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw RunFailure(
                "there is no “\(path)”; name a scenario file or a folder of scenarios, such as "
                    + "Scenarios"
            )
        }
        guard isFolder.boolValue else { return [path] }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw RunFailure("\(path) cannot be read; check its permissions")
        }
        let base = path.hasSuffix("/") ? String(path.dropLast()) : path
        // The folder may be a link; its files are listed under the link's name.
        let folder = URL(filePath: path).resolvingSymlinksInPath().path
        let found = try names(in: folder, shownAs: base).filter(isScenario).sorted()
        guard !found.isEmpty else {
            throw RunFailure("\(path) has no scenario: none of its files ends in .yaml")
        }
        return found.map { base + "/" + $0 }
    }

    /// Returns the relative paths of all files below a folder. Links to folders are not followed,
    /// because they might lead back.
    private static func names(
        in folder: String, shownAs shown: String
    ) throws(RunFailure) -> [String] {
        let files = FileManager.default
        do {
            var names: [String] = []
            for name in try files.contentsOfDirectory(atPath: folder) where !name.hasPrefix(".") {
                let type = try files.attributesOfItem(atPath: "\(folder)/\(name)")[.type]
                guard type as? FileAttributeType == .typeDirectory else {
                    names.append(name)
                    continue
                }
                names += try self.names(in: "\(folder)/\(name)", shownAs: "\(shown)/\(name)")
                    .map { "\(name)/\($0)" }
            }
            return names
        } catch let failure as RunFailure {
            throw failure
        } catch {
            throw RunFailure(
                "\(shown) cannot be read: \(error.systemReason); make it readable, or name the "
                    + "scenarios to play")
        }
    }

    /// Returns what the runs must show together, by the suite files at these paths.
    package static func demands(of paths: [String]) throws(RunFailure) -> SuiteDemands {
        var demands = SuiteDemands()
        for path in paths {
            let base = path.hasSuffix("/") ? String(path.dropLast()) : path
            let file = isSuite(path) ? path : "\(base)/\(SuiteFile.name)"
            guard FileManager.default.fileExists(atPath: file) else { continue }
            let bytes = try bytes(of: file)
            demands += try RunFailure.explaining { () throws(ScenarioError) in
                try SuiteFile.read(bytes, path: file)
            }
        }
        return demands
    }

    /// Whether the file is a scenario. Hidden files are not: editors keep them beside a file that
    /// is being edited.
    static func isScenario(_ path: String) -> Bool {
        let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") }
        return !isHidden && (path.hasSuffix(".yaml") || path.hasSuffix(".yml"))
            && !path.hasSuffix(FaultScripts.ending) && !path.hasSuffix(Scenario.partEnding)
            && !isSuite(path)
    }

    package static func isSuite(_ path: String) -> Bool {
        path.split(separator: "/").last.map(String.init) == SuiteFile.name
    }
}
