/// Reads a file of the language from its bytes, or reports everything that is wrong with it.
enum ScenarioReader {
    /// Every key of the language, in the order of dependence: `files` and `accounts` before
    /// `queue`, `device` before `links`, `limit` and `server` before `timeline`, `expect` last.
    static let keys = KeyTable<ScenarioDraft>(
        name: "a scenario", keys: composition + DescriptionKeys.keys + setting + course + judgement)

    /// Keys that are read before all others, which do not see them.
    private static let composition: [KeyTable<ScenarioDraft>.Key] = [
        .optional(
            IncludedTree.key,
            .oneOrSeveral(.matching(".*[.]part[.]yaml", example: "parts/lte.part.yaml")),
            "files with some of a scenario's keys, by their paths from here; the keys of this "
                + "file override them",
            example: "[parts/busy-cell.part.yaml]"
        ) { _, _ in },
        .optional(
            Matrix.key, .mapping(of: .text, to: .list(of: .text)),
            "names with values: `${profile}` anywhere in the file (in quotes within braces) "
                + "stands for a value, and each combination is a case",
            example: "{ controller: [cubic, bbr], profile: [apple-lte, wpt-2g] }"
        ) { _, _ in },
        .optional(
            Matrix.exclusionKey, .list(of: .mapping(of: .text, to: .text)),
            "combinations to leave out",
            example: "[{ controller: bbr, profile: wpt-2g }]"
        ) { _, _ in },
    ]

    private static let setting: [KeyTable<ScenarioDraft>.Key] =
        [
            .optional(
                "seed", SeedKeys.shape,
                "the source of all randomness: a number, `1 to 20`, or a list of these; several "
                    + "seeds make several runs", example: "[3, 7, 10 to 12]",
                read: SeedKeys.read),
            .optional(
                "tcp", TCPKeys.shape, "the TCP and TLS of the simulated hosts", read: TCPKeys.read),
        ]
        + OtherAppKeys.keys(
            ofApp: "the app", its: "the app's",
            examples: [
                AccountKeys.name: "{ studio: films/studio }",
                BackgroundSessionKeys.name: "{ com.example.photos: { cellular: no } }",
                "app": "[on completed session 1: enqueue session 2]",
            ]) + [
            .optional(
                "device", DeviceKeys.shape, "the phone; without it no app is ever suspended",
                read: DeviceKeys.read),
            .unlessGiven(
                "links", LinkKeys.shape, "both directions between the device and the server",
                example: LinkKeys.example
            ) { node, draft in
                LinkKeys.read(node, links: &draft.links)
            },
            .optional(
                "devices", DeviceKeys.othersShape,
                "other phones by name, each with links of its own",
                example: "{ tablet: { os: ios-17 } }",
                read: DeviceKeys.readOthers),
        ]

    private static let course: [KeyTable<ScenarioDraft>.Key] = [
        .optional(
            "limit", .time, "the longest that the run may take; the default is 10 min",
            example: "2 min", \.limit, read: TimelineKeys.limit),
        .optional("server", ServerKeys.shape, "the server's side", read: ServerKeys.read),
        .optional(
            "visits", VisitKeys.shape,
            "requests of other clients beside the server, by names; `visit NAME` in the timeline "
                + "begins one", example: VisitKeys.example, read: VisitKeys.read),
        .optional(
            "timeline", TimelineKeys.shape, "what is done to the world, and when",
            example: "[5 s: app killed]",
            read: TimelineKeys.readTimeline),
        .optional(
            FlowKeys.name, FlowKeys.shape,
            "bulk flows by names, which expectations measure; a scenario may have nothing else",
            example: FlowKeys.example, read: FlowKeys.read),
    ]

    private static let judgement: [KeyTable<ScenarioDraft>.Key] = [
        .optional(
            "expect", ExpectationKeys.shape, "what must hold in this run, besides the invariants",
            example: "[session 1 resumes once]",
            read: ExpectationKeys.read),
        .optional(
            "sometimes", ExpectationKeys.shape,
            "what must be true of at least one run of this scenario",
            example: "[a session resumes]",
            read: ExpectationKeys.readSometimes),
        .optional(
            "excuse", JudgementKeys.excuseShape,
            "invariants that this scenario cannot hold, each with a reason",
            example: "{ S14: two queues are meant to race }",
            read: JudgementKeys.readExcuses),
        .optional(
            "must-fail", .text, "a canary: the run is green only if this check fails, and no other",
            example: "L1",
            read: JudgementKeys.readMustFail),
    ]

    /// Reads all cases of a file's matrix, or its one scenario; `parts` returns an included file by
    /// its path, and `traces` has the trace files.
    static func cases(
        _ bytes: [UInt8], path: String, parts: @escaping (String) -> [UInt8]?, traces: TraceShelf
    ) throws(ScenarioError) -> [Scenario] {
        let source = SourceText(bytes, path: path)
        let mistakes = Mistakes(in: source, traces: traces)
        var tree = IncludedTree(parts, mistakes)
        guard let root = tree.read(), tree.isWhole else { throw mistakes.error }
        let known = mistakes.count
        let matrix = Matrix(of: root)
        guard mistakes.count == known else { throw mistakes.error }
        var drafts: [(ScenarioDraft, Matrix.Case)] = []
        for one in matrix.cases {
            var draft = ScenarioDraft()
            mistakes.traces.beginCase()
            let filled = FileSeries.unrolled(matrix.filled(root, for: one))
            let given = draft.givenKeys(in: filled) + draft.givenBesideFlows(in: filled)
            keys.read(
                filled, into: &draft,
                given: given + (DeviceKeys.namesNetwork(in: filled) ? ["links"] : []))
            if mistakes.isEmpty {
                for signIn in draft.signIns { signIn.refuse(unlessKnownTo: draft.server) }
            }
            for path in draft.outside { path.refuse(unless: draft.expectations.map(\.plan)) }
            draft.traces = mistakes.traces.traces
            drafts.append((draft, one))
        }
        guard mistakes.isEmpty else { throw mistakes.error }
        return drafts.map { draft, one in
            guard
                let scenario = Scenario(
                    draft, source: .init(text: source.text, path: path, parts: tree.parts), one)
            else {
                preconditionFailure(
                    "\(path) was read without an error, but is not complete: \(draft)")
            }
            return scenario
        }
    }

    /// Reads a file without parts and matrix.
    static func read(
        _ bytes: [UInt8], path: String, by keys: KeyTable<ScenarioDraft>
    ) throws(ScenarioError) -> ScenarioDraft {
        let mistakes = Mistakes(in: SourceText(bytes, path: path))
        guard let root = mistakes.tree() else { throw mistakes.error }
        var draft = ScenarioDraft()
        keys.read(root, into: &draft)
        guard mistakes.isEmpty else { throw mistakes.error }
        return draft
    }
}
