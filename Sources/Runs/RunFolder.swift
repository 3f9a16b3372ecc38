package import Foundation
import Recording
import Reports
import RunLog
import Scenario
import Simulation

/// The folder of one run: `run.json`, `events.jsonl`, `report.html` and more.
package struct RunFolder: Sendable {
    private let url: URL
    /// The way from the run's page to the page of its suite, if there is one.
    private var index: String?
    /// The option that chooses another folder.
    private var option = "--report"

    static let modelName = "run.json"
    static let eventsName = "events.jsonl"
    static let captureName = "capture.pcap"
    static let serverCaptureName = "capture-server.pcap"
    static let flightsName = "flights"
    static let reportName = "report.html"

    /// Creates the folder, and removes the files of an earlier run, so that two runs never mix.
    /// `name` is its path below the folder of its suite, if it has one.
    package init(creating url: URL, named name: String? = nil) throws(RunFailure) {
        self.url = url
        index = name.map { SuiteFolder.wayUp(from: $0) }
        try url.createFolder()
        Self.removeFiles(of: url)
    }

    /// Removes what an earlier run has left in the folder, if anything.
    static func removeFiles(of url: URL) {
        let files = FileManager.default
        guard files.fileExists(atPath: url.path) else { return }
        for name in [
            modelName, eventsName, reportName, captureName, serverCaptureName, flightsName,
            WorldComparison.fileName, WorldComparison.folderName,
        ] {
            // If a file cannot be removed, writing it fails, too, and says why.
            try? files.removeItem(at: url.appending(path: name))
        }
    }

    /// Creates a folder for a run that cannot be repeated; it must be empty or new.
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

    /// The folder of an earlier run; `name` is its path below the folder of its suite.
    init(_ url: URL, named name: String? = nil) {
        self.url = url
        index = name.map { SuiteFolder.wayUp(from: $0) }
    }

    /// Whether the path leads to an earlier run, and not to a scenario.
    package static func holdsRun(_ path: String) -> Bool {
        path.hasSuffix(".json") || FileManager.default.fileExists(atPath: path + "/" + modelName)
    }

    /// Whether the path leads to the results of a suite.
    package static func holdsSuite(_ path: String) -> Bool {
        path.split(separator: "/").last == Substring(SuiteFolder.summary)
            || FileManager.default.fileExists(atPath: path + "/" + SuiteFolder.summary)
    }

    /// Returns the folder for a scenario within the suite's: the path without its ending.
    package static func name(for path: String) -> String {
        let ending = [".yaml", ".yml"].first { path.hasSuffix($0) } ?? ""
        let name = path.dropLast(ending.count).split(separator: "/")
            .filter { $0 != ".." && $0 != "." }.joined(separator: "/")
        return name.isEmpty ? "scenario" : name
    }

    /// Returns the folder for a scenario, and within it the case: `profile=apple-lte`.
    static func name(for scenario: Scenario) -> String {
        guard let variant = scenario.variant else { return name(for: scenario.path) }
        let plain = variant.map { one in
            one.isASCII && (one.isLetter || one.isNumber || "=,.-_".contains(one)) ? one : "-"
        }
        return name(for: scenario.path) + "/" + String(plain)
    }

    /// The capture at the client, or at the loopback interface of a live run.
    var captureFile: String { url.appending(path: Self.captureName).path }

    /// The capture at the server.
    var serverCaptureFile: String { url.appending(path: Self.serverCaptureName).path }

    func eventFile() throws(RunFailure) -> EventFile {
        try EventFile(at: url.appending(path: Self.eventsName).path, option: option)
    }

    /// Reads the log from its beginning, until the reader returns false.
    func eachEvent(_ read: (RunEvent) -> Bool) {
        guard let data = try? Data(contentsOf: url.appending(path: Self.eventsName)) else { return }
        var number = 0
        for line in data.split(separator: UInt8(ascii: "\n")) {
            number += 1
            guard let event = try? EventLines.event(from: line, number: number), read(event) else {
                return
            }
        }
    }

    /// Creates the folder for recorded inputs, and returns its path.
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
        let report = HTMLReport.document(for: model, charts: .ofSystem, index: index)
        try Data(report.utf8).write(
            into: url, as: Self.reportName, options: .atomic, option: option)
    }
}
