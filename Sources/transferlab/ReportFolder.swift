import Foundation

/// Where reports go.
enum ReportFolder {
    /// The folder that was asked for, or the usual one in the project.
    static func url(_ asked: String?, usual: String = "Reports/latest") -> URL {
        if let asked { return URL(filePath: asked) }
        return root.appending(path: usual)
    }

    /// The wrapper says where the project stands; without it, it is here.
    static var root: URL {
        URL(filePath: ProcessInfo.processInfo.environment["TRANSFERLAB_ROOT"] ?? ".")
    }

    /// The folder as a person here would type it.
    static func shown(_ url: URL) -> String {
        let here = FileManager.default.currentDirectoryPath + "/"
        let path = url.standardizedFileURL.path
        return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
    }
}
