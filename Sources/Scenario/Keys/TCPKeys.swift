import RunPlan

/// The key `tcp`: how the simulated hosts' TCP is set up.
enum TCPKeys {
    static func read(_ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes) {
        settings.read(node, into: &draft.tcp, mistakes: &mistakes)
    }

    private static let settings = KeyTable<TCPSettings>(
        name: "“tcp”",
        keys: [
            .optional("controller", read: readController),
            .optional("ecn") { node, settings, mistakes in
                settings.marksCongestion =
                    mistakes.isOn(node) ?? settings.marksCongestion
            },
        ])

    private static func readController(
        _ node: YAMLNode, settings: inout TCPSettings, mistakes: inout Mistakes
    ) {
        settings.controller = controller(node, mistakes: &mistakes) ?? settings.controller
    }

    static func controller(
        _ node: YAMLNode, mistakes: inout Mistakes
    ) -> TCPSettings.Controller? {
        let names = TCPSettings.Controller.allCases.map(\.rawValue)
        let expectation = "one of \(names.list)"
        guard let words = mistakes.text(of: node, expected: expectation) else { return nil }
        if let controller = TCPSettings.Controller(rawValue: words.text) { return controller }
        let nearest = Spelling.nearest(to: words.text, among: names)
        mistakes.add(
            "there is no controller “\(words.text)”", at: words.place, expected: expectation,
            suggestion: nearest.map { "“\($0)”" })
        return nil
    }
}
