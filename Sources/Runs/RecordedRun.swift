import Foundation
import Reports
import RunLog

/// An earlier run, read from its files.
struct RecordedRun {
    let model: ReportModel
    let folder: URL
    /// The folder as the caller named it, for messages.
    private let name: String

    /// `path` is the run's folder or its `run.json`.
    init(at path: String) throws(RunFailure) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw RunFailure(
                "there is no run at \(path); name a run's folder, and if its suite has left none, "
                    + "make it with ./lab report \(path.shellWord)")
        }
        let file = isFolder.boolValue ? path + "/" + RunFolder.modelName : path
        guard let data = FileManager.default.contents(atPath: file) else {
            let hasLog = FileManager.default.fileExists(
                atPath: path + "/" + RunFolder.eventsName)
            throw RunFailure(
                "there is no \(RunFolder.modelName) in \(path); "
                    + (hasLog
                        ? "if this is a server's recording, make the file with ./lab report "
                            + path.shellWord
                        : "name the folder of one run"))
        }
        do throws(JSONMistake) { model = try RunJSON.model(from: data) } catch {
            throw RunFailure(error, in: file, "is not a run")
        }
        folder = URL(filePath: file).deletingLastPathComponent()
        let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        name = isFolder.boolValue ? path : parent.isEmpty ? "." : parent.joined(separator: "/")
    }

    /// Returns the whole log; throws if its end is missing.
    func events() throws(RunFailure) -> [RunEvent] {
        let place = name + "/" + RunFolder.eventsName
        let file = folder.appending(path: RunFolder.eventsName)
        guard let data = FileManager.default.contents(atPath: file.path) else {
            throw RunFailure("there is no \(RunFolder.eventsName) in \(name)")
        }
        let events: [RunEvent]
        do throws(EventLines.Unreadable) { events = try EventLines.events(in: data) } catch {
            throw RunFailure(at: place, line: error.line, error.reason)
        }
        guard case .run(.ended) = events.last?.fact else {
            throw RunFailure(
                at: place, line: events.count,
                "the log ends here, before the end of the run"
                    + (model.beginning.world == .served
                        ? "" : "; play it again with: \(model.beginning.command)"))
        }
        return events
    }
}
