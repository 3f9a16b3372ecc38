import Glibc

/// Folders on the way to a file.
enum Folders {
    /// Makes those that are missing between a root and a path relative to it; all of them, the root
    /// first: what a new file changes, and what therefore has to be synchronised with it.
    @discardableResult
    static func make(for path: String, under root: String) throws(SystemError) -> [String] {
        var folders = [root]
        for name in path.split(separator: "/").dropLast() {
            let folder = folders[folders.count - 1] + "/" + name
            guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
                throw SystemError("make the folder “\(name)” for \(path)")
            }
            folders.append(folder)
        }
        return folders
    }
}
