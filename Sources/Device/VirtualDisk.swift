// A hot file: every commit of every simulated run passes here, and an array copies into its middle
// byte by byte in a debug build. The one pointer lives for the length of one copy.
package import Quantities

/// A disk that remembers unsynced changes, so that a loss of power can undo them. A process reads
/// what was written last, and a killed process loses nothing. A loss of power keeps each file's
/// content at its last `sync`, and the whole, nothing, or any sectors of each later write. It keeps
/// the first few of the creations, deletions and renames since the last `syncNames`, in order, as a
/// journalling file system does. A copy of the struct is a snapshot of the disk.
package struct VirtualDisk: Sendable {
    private var files: [File] = []
    private var names: [Entry] = []
    private var durableNames: [Entry] = []
    private var unsyncedNames: [NameChange] = []

    /// The index of a file in `files`; numbers are not reused.
    package struct FileNumber: Hashable, Sendable {
        package var number: UInt32
        package init(_ number: UInt32) { self.number = number }
    }

    package init() {}

    /// Creates an empty file; the name must be new.
    package mutating func create(_ name: String) -> FileNumber {
        precondition(file(named: name) == nil, "there is a file “\(name)” already")
        let file = FileNumber(UInt32(files.count))
        files.append(File())
        change(.created(Entry(name: name, file: file)))
        return file
    }

    /// Writes bytes; a gap before the offset reads as zeros.
    package mutating func write(_ bytes: [UInt8], to file: FileNumber, at offset: ByteCount) {
        files[Int(file.number)].write(bytes, at: Int(offset.bytes))
    }

    package mutating func truncate(_ file: FileNumber, to size: ByteCount) {
        files[Int(file.number)].resize(to: Int(size.bytes))
    }

    /// Flips a bit of a file, counted from its first, as a fault of the disk. If the bytes there
    /// are unsynced, a loss of power may undo the flip.
    package mutating func flip(bit: UInt64, of file: FileNumber) {
        files[Int(file.number)].content[Int(bit / 8)] ^= 1 << UInt8(bit % 8)
    }

    package mutating func sync(_ file: FileNumber) {
        files[Int(file.number)].unsynced.removeAll(keepingCapacity: true)
    }

    /// Deletes a file, which must not be used afterwards.
    package mutating func delete(_ name: String) {
        precondition(file(named: name) != nil, "there is no file “\(name)” to delete")
        change(.deleted(name))
    }

    /// Renames a file, replacing any file with the new name.
    package mutating func rename(_ name: String, to newName: String) {
        precondition(file(named: name) != nil, "there is no file “\(name)” to rename")
        change(.renamed(name, to: newName))
    }

    package mutating func syncNames() {
        durableNames = names
        unsyncedNames.removeAll()
        forgetFilesWithoutName()
    }

    /// Loses unsynced changes by chance; the result is the disk as it would be mounted again.
    package mutating func losePower(random: inout RandomStream) {
        let kept = Int(random.below(UInt64(unsyncedNames.count) + 1))
        names = durableNames
        for change in unsyncedNames.prefix(kept) { names.apply(change) }
        syncNames()
        for index in files.indices { files[index].losePower(random: &random) }
    }

    package func file(named name: String) -> FileNumber? {
        names.first { $0.name == name }?.file
    }

    package func size(of file: FileNumber) -> ByteCount {
        ByteCount(UInt64(files[Int(file.number)].content.count))
    }

    /// The size of all files.
    package var size: ByteCount { names.reduce(.zero) { $0 + size(of: $1.file) } }

    /// Reads at most `count` bytes.
    package func read(_ file: FileNumber, at offset: ByteCount, count: Int) -> ArraySlice<UInt8> {
        let content = files[Int(file.number)].content
        let start = min(Int(offset.bytes), content.count)
        return content[start..<min(start + count, content.count)]
    }

    private mutating func change(_ change: NameChange) {
        names.apply(change)
        unsyncedNames.append(change)
    }

    private mutating func forgetFilesWithoutName() {
        for index in files.indices where !names.contains(where: { $0.file.number == index }) {
            files[index] = File()
        }
    }
}

private struct Entry: Sendable {
    var name: String
    var file: VirtualDisk.FileNumber
}

private enum NameChange: Sendable {
    case created(Entry)
    case deleted(String)
    case renamed(String, to: String)
}

extension [Entry] {
    fileprivate mutating func apply(_ change: NameChange) {
        switch change {
        case .created(let entry): append(entry)
        case .deleted(let name): removeAll { $0.name == name }
        case .renamed(let name, let newName):
            removeAll { $0.name == newName }
            if let place = firstIndex(where: { $0.name == name }) { self[place].name = newName }
        }
    }
}

/// A file's current content, and the changes since its synced content.
private struct File: Sendable {
    var content: [UInt8] = []
    var unsynced: [Change] = []

    /// A disk writes a sector whole or not at all.
    static let sector = 512

    /// The data to undo and redo a write or a change of size.
    struct Change: Sendable {
        var offset: Int
        var before: [UInt8]
        var after: [UInt8]
        var sizeBefore: Int
        var sizeAfter: Int
    }

    mutating func write(_ bytes: [UInt8], at offset: Int) {
        let end = offset + bytes.count
        let sizeBefore = content.count
        let covered = min(offset, sizeBefore)..<min(end, sizeBefore)
        unsynced.append(
            Change(
                offset: offset, before: Array(content[covered]), after: bytes,
                sizeBefore: sizeBefore, sizeAfter: max(end, sizeBefore)))
        place(bytes[...], at: offset)
    }

    mutating func resize(to size: Int) {
        let cut = min(size, content.count)
        unsynced.append(
            Change(
                offset: cut, before: Array(content[cut...]), after: [],
                sizeBefore: content.count, sizeAfter: size))
        setSize(size)
    }

    mutating func losePower(random: inout RandomStream) {
        let changes = unsynced
        unsynced = []
        for change in changes.reversed() {
            setSize(change.sizeBefore)
            place(change.before[...], at: change.offset)
        }
        for change in changes { redo(change, random: &random) }
    }

    /// Redoes a change after a loss of power. A write is redone wholly, not at all or torn, with
    /// equal chances; a change of size wholly or not at all.
    private mutating func redo(_ change: Change, random: inout RandomStream) {
        guard !change.after.isEmpty else {
            if random.below(2) == 0 { setSize(change.sizeAfter) }
            return
        }
        switch random.below(3) {
        case 0: break
        case 1: place(change.after[...], at: change.offset)
        default:
            var from = 0
            while from < change.after.count {
                let offset = change.offset + from
                let to = min(from + Self.sector - offset % Self.sector, change.after.count)
                if random.below(2) == 0 { place(change.after[from..<to], at: offset) }
                from = to
            }
        }
    }

    private mutating func place(_ bytes: ArraySlice<UInt8>, at offset: Int) {
        let end = offset + bytes.count
        if content.count < end { setSize(end) }
        content.withUnsafeMutableBytes { target in
            UnsafeMutableRawBufferPointer(rebasing: target[offset..<end]).copyBytes(from: bytes)
        }
    }

    private mutating func setSize(_ size: Int) {
        if size < content.count {
            content.removeLast(content.count - size)
        } else {
            content.append(contentsOf: [UInt8](repeating: 0, count: size - content.count))
        }
    }
}
