/// How the simulated hosts' TCP is set up; without a word, as Linux has it.
package struct TCPSettings: Hashable, Sendable {
    package var controller: Controller

    /// Who decides how much may be in flight; the names are those of the scenario language.
    package enum Controller: String, Hashable, Sendable, CaseIterable {
        case cubic
        case newReno = "newreno"
        case bbr
    }

    package init(controller: Controller = .cubic) { self.controller = controller }
}
