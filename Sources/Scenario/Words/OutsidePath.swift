import Checks
import RunLog

/// A destination that leaves the docroot: a mistake, unless the scenario expects that the façade
/// refuses it.
struct OutsidePath {
    let words: PlacedText
    private let facade: Facade
    private let objection: Objection

    /// `nil` if the path stays below the docroot, or is absolute, which is a mistake in any case.
    init?(_ words: PlacedText, of facade: Facade) {
        guard words.leavesItsRoot, let objection = words.objection(toPathBelow: "the docroot")
        else { return nil }
        self.words = words
        self.facade = facade
        self.objection = objection
    }

    /// Reports the mistake unless one of the expectations is that the façade refuses something.
    func refuse(unless expectations: [ExpectationPlan]) {
        let isMeant = expectations.contains { expectation in
            guard case .happens(let happening, _) = expectation else { return false }
            return happening == (facade == .queue ? .refusal : .operationRefusal)
        }
        guard !isMeant else { return }
        let refusal = facade == .queue ? "the queue refuses once" : "the operations refuse once"
        words.refuse(
            Objection(
                objection.complaint,
                "\(objection.expected), or “\(refusal)” under “expect” if that is the point"))
    }
}
