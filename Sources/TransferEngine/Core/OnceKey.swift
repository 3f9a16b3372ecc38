/// The key by which a server recognises a repeated upload (S8). A source that has changed is
/// another upload, and has another key.
struct OnceKey: Hashable, Sendable {
    /// The key of the first source.
    private let first: String
    /// The source for which the key was last used.
    private var source: SourceFingerprint?
    /// How often the source has changed since the first.
    private var changes = 0

    init(_ first: String) { self.first = first }

    /// Notes the source of an attempt.
    mutating func belongs(to source: SourceFingerprint) {
        if let known = self.source, known != source { changes += 1 }
        self.source = source
    }

    /// Returns the key for a source.
    func text(for source: SourceFingerprint) -> String {
        var key = self
        key.belongs(to: source)
        return key.changes == 0 ? first : "\(first)-\(key.changes)"
    }
}
