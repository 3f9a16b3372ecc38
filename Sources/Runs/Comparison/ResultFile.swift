package import Foundation
package import Reports

/// A file with results in any format: figures, a run, or a suite.
package enum ResultFile {
    /// The files to look for in a folder, in this order.
    private static let names = ["summary.json", RunFolder.modelName]

    package static func read(_ path: String) throws(RunFailure) -> FigureSheet {
        let file = try file(at: path)
        guard let data = FileManager.default.contents(atPath: file) else {
            throw RunFailure("\(file) cannot be read; check its permissions")
        }
        do {
            let sheet = try sheet(from: data)
            let names = sheet.subjects.map(\.name)
            if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
                throw RunFailure("two subjects have the name “\(twice)”")
            }
            return sheet
        } catch {
            throw RunFailure(JSONMistake(error, in: data), in: file, "holds no results")
        }
    }

    /// Reads a suite from its folder or its `summary.json`.
    package static func suite(_ path: String) throws(RunFailure) -> Suite {
        let file = try file(at: path)
        guard let data = FileManager.default.contents(atPath: file) else {
            throw RunFailure("\(file) cannot be read; check its permissions")
        }
        do { return try SuiteJSON.suite(from: data) } catch {
            throw RunFailure(
                JSONMistake(error, in: data), in: file, "is no suite",
                remedy: "name the folder of a suite, or its summary.json")
        }
    }

    package static func write(_ data: Data, to path: String) throws(RunFailure) {
        let file = URL(filePath: path)
        try file.deletingLastPathComponent().createFolder()
        do { try data.write(to: file) } catch {
            throw RunFailure("\(path) could not be written: \(error.systemReason)")
        }
    }

    private static func file(at path: String) throws(RunFailure) -> String {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw RunFailure(
                "there is no “\(path)”; name a file that bench, run or fidelity wrote")
        }
        guard isFolder.boolValue else { return path }
        let inside = names.map { path + "/" + $0 }
        guard let file = inside.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            throw RunFailure(
                "\(path) holds neither \(names.joined(separator: " nor ")); "
                    + "name a result file, or the folder of a run or a suite")
        }
        return file
    }

    private static func sheet(from data: Data) throws -> FigureSheet {
        // The grid's file is older than the names of formats.
        if let grid = try? JSONDecoder().decode(FidelityData.self, from: data) {
            return FigureSheet(fidelity: grid)
        }
        struct Form: Decodable { var format: String }
        let format = try JSONDecoder().decode(Form.self, from: data).format
        switch format.prefix(while: { $0 != " " }) {
        case "transferlab-figures/1": return try JSONDecoder().decode(FigureSheet.self, from: data)
        case "transferlab-suite/1": return FigureSheet(suite: try SuiteJSON.suite(from: data))
        case "transferlab-run/1": return FigureSheet(run: try RunJSON.model(from: data))
        default:
            throw RunFailure(
                "its format “\(format)” is unknown; known formats are transferlab-figures/1, "
                    + "transferlab-suite/1 and transferlab-run/1"
            )
        }
    }
}
