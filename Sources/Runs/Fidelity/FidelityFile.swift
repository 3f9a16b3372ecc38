import Foundation
import Reports

/// `Reports/baselines/fidelity.json`, in which the grid is kept from one day to the next.
package struct FidelityFile: Sendable {
    package let path: String

    /// In the house's folder of reports.
    package init(reports: String) { path = reports + "/baselines/fidelity.json" }

    /// What is in it; nothing, if there is no such file yet.
    package func read() throws(RunFailure) -> FidelityData {
        guard FileManager.default.fileExists(atPath: path) else { return FidelityData() }
        let text: Data
        do {
            text = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw RunFailure("cannot read \(path): \(error.systemReason)")
        }
        let data: FidelityData
        do {
            data = try JSONDecoder().decode(FidelityData.self, from: text)
        } catch {
            throw RunFailure(
                "\(path): \(JSONMistake(error, in: text)); repair it, or restore the committed file"
            )
        }
        if let stray = data.cells.first(where: { !FidelityCell.grid.contains($0.cell) }) {
            throw RunFailure("\(path): the grid has no cell \(stray.cell.name); delete it")
        }
        return data
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
