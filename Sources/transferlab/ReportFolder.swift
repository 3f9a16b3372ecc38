import Foundation

/// The folder for reports.
enum ReportFolder {
    /// Returns the folder given by `--report`, or the default folder in the project.
    static func url(_ asked: String?, usual: String = "Reports/latest") -> URL {
        if let asked { return URL(filePath: asked) }
        return root.appending(path: usual)
    }

    /// The project's folder, as told by the `lab` script; without it, the current folder.
    static var root: URL {
        URL(filePath: ProcessInfo.processInfo.environment["TRANSFERLAB_ROOT"] ?? ".")
    }

    /// Returns the folder's path relative to the current folder.
    static func shown(_ url: URL) -> String {
        let here = FileManager.default.currentDirectoryPath + "/"
        let path = url.standardizedFileURL.path
        return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
    }
}
