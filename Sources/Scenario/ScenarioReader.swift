/// Reads a file of the language from its bytes, or says everything that is wrong with it.
enum ScenarioReader {
    /// Every key of the language. `files` comes before `queue`, `limit` and `server` before
    /// `timeline`, and `expect` after all that it can speak of.
    private static let keys = KeyTable<ScenarioDraft>(
        name: "a scenario",
        keys: [
            .required(
                "name", example: DescriptionKeys.nameExample, read: DescriptionKeys.readName),
            .required("why", example: DescriptionKeys.whyExample, read: DescriptionKeys.readWhy),
            .optional("cites", read: DescriptionKeys.readCites),
            .optional("tags", read: DescriptionKeys.readTags),
            .optional("seed", read: SeedKeys.read),
            .required("links", example: LinkKeys.example, read: LinkKeys.read),
            .optional("tcp", read: TCPKeys.read),
            .required("files", example: FileKeys.example, read: FileKeys.read),
            .required("queue", example: QueueKeys.example, read: QueueKeys.read),
            .optional("limit", read: TimelineKeys.readLimit),
            .optional("server", read: FaultKeys.readServer),
            .optional("timeline", read: TimelineKeys.readTimeline),
            .optional("expect", read: ExpectationKeys.read),
            .optional("excuse", read: JudgementKeys.readExcuses),
            .optional("must-fail", read: JudgementKeys.readMustFail),
        ])

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
