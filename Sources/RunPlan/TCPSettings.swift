/// How the simulated hosts' TCP is set up; without a word, as Linux has it.
package struct TCPSettings: Hashable, Sendable {
    package var controller: Controller
    /// Explicit congestion notification (RFC 3168), which the connecting side asks for.
    package var marksCongestion: Bool

    /// Who decides how much may be in flight; the names are those of the scenario language.
    package enum Controller: String, Hashable, Sendable, CaseIterable {
        case cubic
        case newReno = "newreno"
        case bbr
    }

    package init(controller: Controller = .cubic, marksCongestion: Bool = false) {
        self.controller = controller
        self.marksCongestion = marksCongestion
    }
}
