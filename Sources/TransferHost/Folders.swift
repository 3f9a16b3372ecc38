import Glibc

package enum Folders {
    /// Makes the missing folders on the way to a path below a root.
    package static func make(for path: String, under root: String) throws(SystemError) {
        var folder = root
        for name in path.split(separator: "/").dropLast() {
            folder += "/" + name
            guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
                throw SystemError("make the folder “\(name)” for \(path)")
            }
        }
    }
}
