import Protocols
import Quantities

/// The credentials of a process: what is known of each, and its renewal.
///
///     unknown ──▶ good ──▶ rejected ──▶ being renewed ──▶ good
///                             └── its app gives another ──▶ good
///
/// A rejected version is never sent again. One renewal serves everybody who waits (S12).
struct CredentialKeeper: Hashable, Sendable {
    private var books: [CredentialHandle: Book] = [:]

    private struct Book: Hashable, Sendable {
        var state: CredentialState
        var isRejected = false
        /// Whether the server gives no new token for what the app has.
        var isBarred = false
        var renewal: Renewal?

        var isGood: Bool { state.version > 0 && !isRejected }
    }

    /// A connection on which a new token is requested.
    struct Renewal: Hashable, Sendable {
        let connection: ConnectionID
        let host: String
        let deadline: Instant
    }

    /// What follows from a rejection.
    enum Remedy: Hashable, Sendable {
        /// Another version is there already.
        case another
        /// A new token is on its way, or has to be requested.
        case renewal
        /// The app has to give another secret.
        case none
    }

    /// How long the server may take to answer a request for a token. An app that the system has
    /// woken for a task has to be ready after 30 s, with a token or without one (S11).
    static let patience = TimeSpan.seconds(25)

    // MARK: What is known

    /// Notes the state of a credential. A version that was rejected stays so, whoever tells of it
    /// again.
    mutating func know(_ handle: CredentialHandle, _ state: CredentialState) {
        let before = books[handle]
        let isSame = state.version > 0 && before?.state.version == state.version
        books[handle] = Book(
            state: state, isRejected: isSame && before?.isRejected == true,
            renewal: before?.renewal)
    }

    /// Returns how a request says who sends it; `nil` if only the app can help.
    func identity(by handle: CredentialHandle) -> Identity? {
        guard let book = books[handle] else { return .anonymous }
        if book.isGood {
            return .known(
                CredentialUse(
                    handle: handle, version: book.state.version, length: book.state.length))
        }
        return isRenewable(book) ? .awaited : nil
    }

    private func isRenewable(_ book: Book) -> Bool { book.state.renewal != nil && !book.isBarred }

    /// Notes that the server has rejected what was sent.
    mutating func reject(_ use: CredentialUse) -> Remedy {
        guard let book = books[use.handle] else { return .none }
        guard book.state.version == use.version else {
            if book.isGood { return .another }
            return isRenewable(book) ? .renewal : .none
        }
        books[use.handle]?.isRejected = true
        return isRenewable(book) ? .renewal : .none
    }

    /// Notes that asking for a new token is of no use until the app gives another secret.
    mutating func bar(_ handle: CredentialHandle) { books[handle]?.isBarred = true }

    /// What is known of all credentials, ordered by name.
    var states: [(handle: CredentialHandle, state: CredentialState)] {
        books.map { ($0.key, $0.value.state) }  // any order: they are sorted
            .sorted { $0.handle.name < $1.handle.name }
    }

    func state(of handle: CredentialHandle) -> CredentialState? { books[handle]?.state }

    // MARK: Renewals

    /// Whether somebody who waits for this credential has to request it.
    func lacksRenewal(_ handle: CredentialHandle) -> Bool {
        guard let book = books[handle] else { return false }
        return !book.isGood && isRenewable(book) && book.renewal == nil
    }

    mutating func begin(_ renewal: Renewal, of handle: CredentialHandle) {
        books[handle]?.renewal = renewal
    }

    mutating func endRenewal(of handle: CredentialHandle) -> Renewal? {
        defer { books[handle]?.renewal = nil }
        return books[handle]?.renewal
    }

    /// Returns the credential that is renewed on a connection.
    func handle(renewedOn connection: ConnectionID) -> CredentialHandle? {
        // any order: one connection renews one credential
        books.first { $0.value.renewal?.connection == connection }?.key
    }

    func renewal(of handle: CredentialHandle) -> Renewal? { books[handle]?.renewal }

    /// Returns the request for a new token, and the credential to send with it.
    func request(
        for handle: CredentialHandle
    ) -> (TokenRequest, CredentialUse)? {
        guard let book = books[handle], let length = book.state.renewal else { return nil }
        return (TokenRequest(), CredentialUse(handle: handle, version: nil, length: length))
    }

    /// The credentials that are being renewed, ordered by name.
    var renewals: [CredentialHandle] {
        guard !books.isEmpty else { return [] }
        return books.keys.filter { books[$0]?.renewal != nil }  // any order: they are sorted
            .sorted { $0.name < $1.name }
    }

    var deadline: Instant? {
        guard !books.isEmpty else { return nil }
        return books.values.compactMap { $0.renewal?.deadline }.min()  // any order: the earliest
    }
}

extension CredentialKeeper.Remedy {
    /// Whether to try again after so many earlier rejections in a row. A token that others have
    /// renewed meanwhile has its chance, but not for ever: a server may issue tokens that expire
    /// before they arrive (L2).
    func isWorthATry(after rejections: Int) -> Bool {
        switch self {
        case .none: false
        case .renewal: rejections == 0
        case .another: rejections < Self.mostRejections
        }
    }

    /// How many tokens may be rejected one after the other.
    static let mostRejections = 4
}
