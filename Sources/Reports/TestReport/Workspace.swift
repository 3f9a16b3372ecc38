import Foundation

/// The folder of a build. Build servers take the paths in reports relative to it.
package struct Workspace: Sendable {
    private let root: String
    private let current: URL

    /// Finds the workspace by the variables of GitHub, GitLab and Jenkins. Without one around the
    /// current folder, the current folder is the workspace.
    package init(_ environment: [String: String], current: String) {
        self.current = URL(filePath: current, directoryHint: .isDirectory).resolvingSymlinksInPath()
        let here = self.current.path
        let named = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR", "WORKSPACE"].compactMap {
            environment[$0].map { URL(filePath: $0).resolvingSymlinksInPath().path }
        }
        root = named.first { here == $0 || here.hasPrefix($0 + "/") } ?? here
    }

    /// Returns a path relative to the workspace; a path outside remains absolute.
    package func path(_ path: String) -> String {
        let whole = URL(filePath: path, relativeTo: current).standardizedFileURL.path
        return whole.hasPrefix(root + "/") ? String(whole.dropFirst(root.count + 1)) : whole
    }

    func place(_ place: SourcePlace) -> SourcePlace {
        SourcePlace(file: path(place.file), line: place.line, column: place.column)
    }
}
