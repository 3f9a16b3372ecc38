/// The runs of a suite that leave a folder of their own: page, log and model. Any other run is
/// played again when somebody asks for its page, and is the same run.
package enum KeptRuns: String, CaseIterable, Sendable {
    case all
    /// The red runs, and those with the first seeds of each scenario.
    case few
    case red

    /// The number of seeds whose runs are kept, if few are.
    package static let seeds = 10

    /// Whether a run is kept even if it is green.
    func keeps(_ run: SuiteCase) -> Bool {
        switch self {
        case .all: true
        case .few: run.place < Self.seeds
        case .red: false
        }
    }
}
