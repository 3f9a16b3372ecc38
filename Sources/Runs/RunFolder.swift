package import Foundation
import Recording
import Reports
import RunLog
import Scenario
import Simulation

/// Where the files of one run go: `run.json`, `events.jsonl`, `report.html`.
package struct RunFolder: Sendable {
    private let url: URL
    /// By which another folder is chosen.
    private var option = "--report"

    static let modelName = "run.json"
    static let eventsName = "events.jsonl"
    static let captureName = "capture.pcap"
    static let serverCaptureName = "capture-server.pcap"

    static let flightsName = "flights"

    static let reportName = "report.html"

    /// Makes the folder. What an earlier run left in it goes: half of one run beside half of
    /// another would be taken for one.
    package init(creating url: URL) throws(RunFailure) {
        self.url = url
        try url.createFolder()
        for name in [
            Self.modelName, Self.eventsName, Self.reportName, Self.captureName,
            Self.serverCaptureName, Self.flightsName, WorldComparison.fileName,
            WorldComparison.folderName,
        ] {
            let file = url.appending(path: name)
            // There is none, or it cannot go: then writing over it fails too, and says why.
            try? FileManager.default.removeItem(at: file)
        }
    }

    /// Makes a folder for what happens but once: nothing may be there that it could replace.
    init(unused url: URL, option: String) throws(RunFailure) {
        let entries = try? FileManager.default.contentsOfDirectory(atPath: url.path)
        if let entry = entries?.min() {
            throw RunFailure(
                "\(url.relativePath) is not empty: it has “\(entry)”; name an empty or new "
                    + "folder with \(option)"
            )
        }
        self.url = url
        self.option = option
        try url.createFolder(option: option)
    }

    /// The folder of an earlier run.
    init(_ url: URL) { self.url = url }

    /// The scenario's path without its ending, kept inside the folder of the suite.
    package static func name(for path: String) -> String {
        let ending = [".yaml", ".yml"].first { path.hasSuffix($0) } ?? ""
        let name = path.dropLast(ending.count).split(separator: "/")
            .filter { $0 != ".." && $0 != "." }.joined(separator: "/")
        return name.isEmpty ? "scenario" : name
    }

    /// The same, and within it the name of the case: `profile=apple-lte`.
    static func name(for scenario: Scenario) -> String {
        guard let variant = scenario.variant else { return name(for: scenario.path) }
        let plain = variant.map { one in
            one.isASCII && (one.isLetter || one.isNumber || "=,.-_".contains(one)) ? one : "-"
        }
        return name(for: scenario.path) + "/" + String(plain)
    }

    /// What the client's end of the network has seen, or the loopback interface of a live run.
    var captureFile: String { url.appending(path: Self.captureName).path }

    /// What the server's end has seen, under a name by which nobody mistakes it for the client's.
    var serverCaptureFile: String { url.appending(path: Self.serverCaptureName).path }

    func eventFile() throws(RunFailure) -> EventFile {
        try EventFile(at: url.appending(path: Self.eventsName).path, option: option)
    }

    /// An event of the file, by its index in the log.
    func event(_ index: Int) -> RunEvent? {
        guard let data = try? Data(contentsOf: url.appending(path: Self.eventsName)) else {
            return nil
        }
        let lines = data.split(separator: UInt8(ascii: "\n"), maxSplits: index + 1)
        guard index < lines.count else { return nil }
        return try? EventLines.event(from: lines[index], number: index + 1)
    }

    /// Where the recorders of a live run's processes write, made if it is not there.
    func flightFolder() throws(RunFailure) -> String {
        let folder = url.appending(path: Self.flightsName)
        try folder.createFolder(option: option)
        return folder.path
    }

    func write(_ flights: VirtualFlights) throws(RunFailure) {
        let folder = URL(filePath: try flightFolder())
        for file in flights.files {
            try Data(file.bytes).write(
                into: folder, as: file.name + FlightRecording.ending, option: option)
        }
    }

    /// Puts each file in place by a rename: a full disk leaves no half of a report.
    func write(_ model: ReportModel) throws(RunFailure) {
        try RunJSON.data(for: model).write(
            into: url, as: Self.modelName, options: .atomic, option: option)
        let report = HTMLReport.document(for: model, charts: .installed())
        try Data(report.utf8).write(
            into: url, as: Self.reportName, options: .atomic, option: option)
    }
}
