extension HTTPResponseHead {
    /// Whether a captive portal on the way seems to have answered in the server's place: with a
    /// redirect, which our servers never send; with 511 (RFC 6585 §6); or with a page that has no
    /// validator and nothing of an upload's protocol, where no page was asked for.
    ///
    /// A page that was asked for by its name, and one that has a validator, cannot be told from the
    /// server's own.
    package func isForeign(to target: String) -> Bool {
        switch status {
        case 304: false
        case 300..<400, 511: true
        case 200: isPage && !Self.endings.contains { path(of: target).hasSuffix($0) }
        default: false
        }
    }

    private static let endings = [".html", ".htm", ".xhtml"]
    /// Fields that a portal has no reason to send.
    private static let ownFields = [
        "ETag", "Last-Modified", "Tus-Resumable", "Upload-Offset", "Location",
    ]

    private var isPage: Bool {
        let type = (fields["Content-Type"] ?? "").prefix { $0 != ";" && $0 != " " }.lowercased()
        guard type == "text/html" || type == "application/xhtml+xml" else { return false }
        return !Self.ownFields.contains { fields[$0] != nil }
    }

    private func path(of target: String) -> String {
        target.prefix { $0 != "?" }.lowercased()
    }
}
