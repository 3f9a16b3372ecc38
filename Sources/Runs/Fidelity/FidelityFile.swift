import Foundation

/// `Reports/baselines/fidelity.json`, in which the grid is kept from one day to the next.
package struct FidelityFile: Sendable {
    package let path: String

    /// In the house's folder of reports.
    package init(reports: String) { path = reports + "/baselines/fidelity.json" }

    /// What is in it; nothing, if there is no such file yet.
    package func read() throws(RunFailure) -> FidelityData {
        guard FileManager.default.fileExists(atPath: path) else { return FidelityData() }
        do {
            let text = try Data(contentsOf: URL(filePath: path))
            let data = try JSONDecoder().decode(FidelityData.self, from: text)
            if let stray = data.cells.first(where: { !FidelityCell.grid.contains($0.cell) }) {
                throw RunFailure("\(path): the grid has no cell \(stray.cell.name); delete it")
            }
            return data
        } catch let error as DecodingError {
            throw RunFailure("\(path), \(error.place); mend it, or take the committed one back")
        } catch let failure as RunFailure {
            throw failure
        } catch {
            throw RunFailure("cannot read \(path): \(error.systemReason)")
        }
    }

    /// Whole or not at all, so that an interruption never leaves half a file.
    package func write(_ data: FidelityData) throws(RunFailure) {
        do {
            let url = URL(filePath: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(try Self.text(of: data).utf8).write(to: url, options: .atomic)
        } catch {
            throw RunFailure("cannot write \(path): \(error.systemReason)")
        }
    }

    /// As it stands in the file.
    package static func text(of data: FidelityData) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(data), as: UTF8.self) + "\n"
    }
}

extension DecodingError {
    /// Where in the document it went wrong, and what was expected there.
    fileprivate var place: String {
        let context: Context
        var expected = ""
        switch self {
        case .typeMismatch(let type, let found):
            (context, expected) = (found, ": expected \(type)")
        case .valueNotFound(let type, let found):
            (context, expected) = (found, ": expected \(type), found nothing")
        case .keyNotFound(let key, let found):
            (context, expected) = (found, ": “\(key.stringValue)” is missing")
        case .dataCorrupted(let found):
            let cause = found.underlyingError.map { ($0 as NSError).debugDescriptionOfJSON } ?? nil
            (context, expected) = (found, ": \(cause ?? found.debugDescription)")
        @unknown default: return "\(self)"
        }
        let path = context.codingPath.reduce("") { path, key in
            if let index = key.intValue { return "\(path)[\(index)]" }
            return (path.isEmpty ? "" : path + ".") + key.stringValue
        }
        return (path.isEmpty ? "at its top" : path) + expected
    }
}

extension NSError {
    /// What the JSON parser says, with line and column.
    fileprivate var debugDescriptionOfJSON: String? { userInfo["NSDebugDescription"] as? String }
}
