/// Flight recordings of a run, file by file. They are kept outside the world, so that recording
/// cannot change a run.
package struct VirtualFlights: Sendable {
    package private(set) var files: [(name: String, bytes: [UInt8])] = []

    mutating func begin(_ name: String, _ beginning: [UInt8]) -> Int {
        files.append((name, beginning))
        return files.count - 1
    }

    mutating func add(_ block: [UInt8], to file: Int) { files[file].bytes += block }
}
