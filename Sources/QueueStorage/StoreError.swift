/// Why a store cannot be opened or changed, and what helps.
package enum StoreError: Error, Hashable, Sendable {
    case cannotOpen(path: String, reason: String)
    case inUse(path: String)
    /// Something else made this file.
    case notAStore(path: String)
    case tooNew(path: String, version: Int, known: Int)
    /// A store that is opened is set aside then, and nobody is told by an error.
    case damaged(path: String, reason: String)
    case noSpace(path: String)
    case failed(path: String, reason: String)

    package var message: String {
        switch self {
        case .cannotOpen(let path, let reason):
            "cannot open the store “\(path)”: \(reason); "
                + "see that its directory exists and may be written"
        case .inUse(let path):
            "the store “\(path)” is in use by another process; end that process first"
        case .notAStore(let path):
            "“\(path)” is not a store of a transfer queue and is left alone; use another path"
        case .tooNew(let path, let version, let known):
            "the store “\(path)” has version \(version), and this program knows versions up to "
                + "\(known); it is left alone: use the newer program, or another path"
        case .damaged(let path, let reason):
            "the store “\(path)” is damaged: \(reason); the change was not kept: it is set aside "
                + "when it is opened again"
        case .noSpace(let path):
            "no space left for the store “\(path)”; the change was not kept: free some space "
                + "and try again"
        case .failed(let path, let reason):
            "the store “\(path)” could not be read or written: \(reason); the change may not "
                + "have been kept: see to the disk and open the store again"
        }
    }
}
