import Foundation
import Reports

/// `Reports/baselines/fidelity.json`, which keeps the grid from one day to the next.
package struct FidelityFile: Sendable {
    package let path: String

    /// `reports` is the project's folder of reports.
    package init(reports: String) { path = reports + "/baselines/fidelity.json" }

    /// Returns the file's data; a file that does not exist yet is an empty grid.
    package func read() throws(RunFailure) -> FidelityData {
        guard FileManager.default.fileExists(atPath: path) else { return FidelityData() }
        let text = Data(try String(readFrom: path).utf8)
        do {
            return try JSONDecoder().decode(FidelityData.self, from: text)
        } catch {
            throw RunFailure(
                JSONMistake(error, in: text), in: path, "holds no figures",
                remedy: "repair it, or restore the committed file")
        }
    }

    package func write(_ data: FidelityData) throws(RunFailure) {
        // If there can be no folder, the write fails, too, and says why.
        try? FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try SheetJSON.data(data).replace(path)
    }
}
