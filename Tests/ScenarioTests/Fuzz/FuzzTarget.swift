/// What the language makes of bytes from anybody. Each target traps if something is wrong, as a
/// fuzzer wants it; `./lab test --long fuzz-scenario` and `fuzz-faults` look for such bytes, and
/// begin with the house's own files.
enum FuzzTarget: String, CaseIterable {
    case scenario, faults

    func run(_ input: [UInt8]) {
        let reading =
            switch self {
            case .scenario: CarefulReading(scenario: input)
            case .faults: CarefulReading(faults: input)
            }
        if let flaw = reading.flaw { preconditionFailure(flaw) }
    }

    var seeds: [[UInt8]] {
        switch self {
        case .scenario: [ValidScenario.text, ValidScenario.rich].map { Array($0.utf8) }
        case .faults: []
        }
    }
}
