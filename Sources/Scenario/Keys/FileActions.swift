import Quantities
import RunPlan

/// Actions of a timeline on the app's local files.
enum FileActions {
    static let phrases: [Phrase<TimelineEntry.Action>] = [
        plain("PATH edited", "other bytes, the same size", .edited),
        plain(
            "PATH edited with its date put back",
            "other bytes, the same size and date", .editedUnseen),
        plain(
            "PATH edited between samples with its date put back",
            "as above, outside the blocks that `sparse checksum` reads; a file of up to 64 KiB "
                + "is read whole",
            .editedBetweenSamples),
        plain(
            "PATH deleted",
            "the file is gone: its session fails with error 4, and the next session has its turn",
            .deleted),
        plain("PATH touched", "a new date on the same bytes", .touched),
        sized("PATH replaced by SIZE", "another length; a deleted file can be replaced") {
            .replaced(by: $0)
        },
        sized("PATH truncated to SIZE") { .truncated(to: $0) },
        sized("PATH grows by SIZE") { .grown(by: $0) },
    ]

    private static func plain(
        _ pattern: String, _ about: String, _ kind: FileChange.Kind
    ) -> Phrase<TimelineEntry.Action> {
        Phrase(pattern, about) { holes, draft, mistakes in
            path(holes[0], of: draft, mistakes: &mistakes).map { .changeFile(FileChange($0, kind)) }
        }
    }

    private static func sized(
        _ pattern: String, _ about: String? = nil,
        _ kind: @escaping @Sendable (ByteCount) -> FileChange.Kind
    ) -> Phrase<TimelineEntry.Action> {
        Phrase(pattern, about) { holes, draft, mistakes in
            let path = path(holes[0], of: draft, mistakes: &mistakes)
            guard let size = mistakes.size(holes[1]), let path else { return nil }
            return .changeFile(FileChange(path, kind(size)))
        }
    }

    static func path(
        _ words: PlacedText, of draft: ScenarioDraft, mistakes: inout Mistakes
    ) -> String? {
        // Without a readable list the mistake is there, not here.
        guard let paths = draft.pathsOfAll else { return nil }
        if paths.contains(words.text) { return words.text }
        let nearest = Spelling.nearest(to: words.text, among: paths)
        mistakes.add(
            "there is no file “\(words.text)”", at: words.place,
            expected: "a path under “files”", suggestion: nearest.map { "“\($0)”" })
        return nil
    }
}
