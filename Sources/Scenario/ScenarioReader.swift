/// Reads a file of the language from its bytes, or says everything that is wrong with it.
enum ScenarioReader {
    /// Every key of the language. `files` comes before `queue`, `limit` and `server` before
    /// `timeline`, and `expect` after all that it can speak of.
    static let keys = KeyTable<ScenarioDraft>(
        name: "a scenario", keys: DescriptionKeys.keys + setting + course + judgement)

    private static let setting: [KeyTable<ScenarioDraft>.Key] = [
        .optional(
            "seed", SeedKeys.shape,
            "what everything random is drawn from; several make several runs",
            read: SeedKeys.read),
        .optional(
            "device", DeviceKeys.shape, "the phone; without it nothing is ever suspended",
            read: DeviceKeys.read),
        .required(
            "links", LinkKeys.shape, "both directions between the device and the server",
            example: LinkKeys.example, read: LinkKeys.read),
        .optional(
            "tcp", TCPKeys.shape, "the TCP and TLS of the simulated hosts", read: TCPKeys.read),
        .required(
            "files", .mapping(of: .path, to: .size), "what lies in the app's container",
            example: FileKeys.example, read: FileKeys.read),
        .required(
            "queue", QueueKeys.shape, "what the app adds to its transfer queue, in this order",
            example: QueueKeys.example, read: QueueKeys.read),
    ]

    private static let course: [KeyTable<ScenarioDraft>.Key] = [
        .optional(
            "limit", .time, "the run ends here at the latest; without it after 10 min",
            read: TimelineKeys.readLimit),
        .optional("server", FaultKeys.shape, "the server's side", read: FaultKeys.readServer),
        .optional(
            "timeline", TimelineKeys.shape, "what is done to the world, and when",
            read: TimelineKeys.readTimeline),
    ]

    private static let judgement: [KeyTable<ScenarioDraft>.Key] = [
        .optional(
            "expect", ExpectationKeys.shape, "what must hold in this run, besides the invariants",
            read: ExpectationKeys.read),
        .optional(
            "excuse", JudgementKeys.excuseShape,
            "invariants that this scenario cannot hold, each with a reason",
            read: JudgementKeys.readExcuses),
        .optional(
            "must-fail", .text, "a canary: this check must fall, and no other",
            read: JudgementKeys.readMustFail),
    ]

    static func read(_ bytes: [UInt8], path: String) throws(ScenarioError) -> Scenario {
        let (draft, text) = try read(bytes, path: path, by: keys)
        guard let scenario = Scenario(draft, text: text, path: path) else {
            preconditionFailure(
                "\(path) was read without a complaint, and is not complete: \(draft)")
        }
        return scenario
    }

    static func read(
        _ bytes: [UInt8], path: String, by keys: KeyTable<ScenarioDraft>
    ) throws(ScenarioError) -> (draft: ScenarioDraft, text: String) {
        let source = SourceText(bytes, path: path)
        var mistakes = Mistakes(in: source)
        source.report(to: &mistakes)
        guard mistakes.isEmpty else { throw mistakes.error }

        var reader = YAMLReader(source)
        guard let root = reader.read(mistakes: &mistakes) else { throw mistakes.error }
        var draft = ScenarioDraft()
        keys.read(root, into: &draft, mistakes: &mistakes)
        guard mistakes.isEmpty else { throw mistakes.error }
        return (draft, source.text)
    }
}
