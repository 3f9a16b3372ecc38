import Glibc

/// How much room the store of a process takes.
enum StoreSize {
    /// Of the store's own file and of its journal.
    static func largestFile(of store: String, in folder: String) -> UInt64 {
        [store, store + "-journal"].map { name in
            var status = stat()
            return stat(folder + "/" + name, &status) == 0 ? UInt64(status.st_size) : 0
        }.max() ?? 0
    }
}
