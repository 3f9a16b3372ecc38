/// A cut of the way between a client and its peers while the links are up: packets from the peers
/// no longer arrive.
package struct WayCut: Hashable, Sendable {
    /// Answer to a client that goes on sending.
    package var answer: Answer
    /// Whether the client's packets are lost as well, because its address has changed.
    package var isOfBothEnds: Bool

    package enum Answer: Hashable, Sendable { case none, reset }

    /// Cut by a translator that has forgotten its mappings (RFC 4787 §4.3, RFC 5382 §5).
    package init(answer: Answer) {
        self.answer = answer
        isOfBothEnds = false
    }

    /// Cut for a client whose address has changed.
    package static let ofFormerAddress = WayCut()

    private init() {
        answer = .none
        isOfBothEnds = true
    }
}
