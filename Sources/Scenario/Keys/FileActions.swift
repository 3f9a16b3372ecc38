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
        Phrase(pattern, about) { holes, draft in
            path(holes[0], of: draft).map { .changeFile(FileChange($0, kind)) }
        }
    }

    private static func sized(
        _ pattern: String, _ about: String? = nil,
        _ kind: @escaping @Sendable (ByteCount) -> FileChange.Kind
    ) -> Phrase<TimelineEntry.Action> {
        Phrase(pattern, about) { holes, draft in
            both(path(holes[0], of: draft), holes[1].size())
                .map { .changeFile(FileChange($0, kind($1))) }
        }
    }

    static func path(_ words: PlacedText, of draft: ScenarioDraft) -> String? {
        // An unreadable list has been reported already.
        guard let paths = draft.pathsOfAll else { return nil }
        if paths.contains(words.text) { return words.text }
        return words.refuse(
            "there is no file “\(words.text)”", expected: "a path under “files”", among: paths)
    }
}
