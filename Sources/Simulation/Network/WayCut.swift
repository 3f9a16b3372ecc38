/// A way between a client and its peers that is gone, though the links still stand: nothing that a
/// peer sends arrives any more.
package struct WayCut: Hashable, Sendable {
    /// What somebody on the way answers to a client that goes on sending.
    package var answer: Answer
    /// Not even the client's packets leave: its address is no longer its own.
    package var isOfBothEnds: Bool

    package enum Answer: Hashable, Sendable { case none, reset }

    /// A translator of addresses that has forgotten its mappings (RFC 4787 §4.3, RFC 5382 §5).
    package init(answer: Answer) {
        self.answer = answer
        isOfBothEnds = false
    }

    /// A client that has another address than before.
    package static let ofFormerAddress = WayCut()

    private init() {
        answer = .none
        isOfBothEnds = true
    }
}
