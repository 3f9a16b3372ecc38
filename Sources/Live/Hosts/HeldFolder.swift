import Glibc

/// A folder that is found wherever it is moved to.
final class HeldFolder {
    private let descriptor: Descriptor

    init(_ path: String) throws(SystemError) {
        descriptor = try Descriptor(opening: path, O_RDONLY | O_DIRECTORY)
    }

    /// Good for this process alone, and as long as it holds the folder.
    var path: String { "/proc/self/fd/\(descriptor.number)" }
}
