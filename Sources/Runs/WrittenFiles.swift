import Foundation

// Files and folders whose failures say what to do.

extension URL {
    /// Creates the folder unless it exists; `option` chooses another one.
    func createFolder(option: String = "--report") throws(RunFailure) {
        do {
            try FileManager.default.createDirectory(at: self, withIntermediateDirectories: true)
        } catch {
            throw RunFailure(
                "cannot create the folder \(path): \(error.systemReason); choose another folder "
                    + "with \(option)"
            )
        }
    }
}

extension Data {
    /// Writes a file of a folder that `option` chooses.
    func write(
        into folder: URL, as name: String, options: Data.WritingOptions = [],
        option: String = "--report"
    ) throws(RunFailure) {
        let file = folder.appending(path: name)
        do { try write(to: file, options: options) } catch {
            throw RunFailure(
                "\(file.path) could not be written: \(error.systemReason); "
                    + "choose another folder with \(option)")
        }
    }

    /// Appends to a file at once, so that two programs do not mix what they write.
    func append(
        to path: String, called name: String? = nil, remedy: String
    ) throws(RunFailure) {
        guard let file = fopen(path, "a") else {
            let reason = String(cString: strerror(errno))
            throw RunFailure(
                "\(name.map { "\($0) " } ?? "")\(path) cannot be written: \(reason); \(remedy)")
        }
        let written = withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        guard fclose(file) == 0, written == count else {
            throw RunFailure("\(path) could not be written; is the disk full?")
        }
    }

    /// Replaces a file of the project, whole or not at all.
    func replace(_ path: String) throws(RunFailure) {
        do { try write(to: URL(filePath: path), options: .atomic) } catch {
            throw RunFailure("cannot write \(path): \(error.systemReason)")
        }
    }
}

extension String {
    init(readFrom path: String) throws(RunFailure) {
        do { self = try String(contentsOfFile: path, encoding: .utf8) } catch {
            throw RunFailure("cannot read \(path): \(error.systemReason)")
        }
    }
}
