package import Reports
import RunLog

/// The schemas of all JSON that the program writes for other programs.
package enum FileSchemas {
    package static let all = [
        SuiteJSON.schema, RunJSON.schema, CrashJSON.schema, ChanceJSON.schema, FigureSheet.schema,
        ComparisonJSON.schema, PerformanceJSON.schema, events,
    ]

    private static let events = FileSchema(
        "events", "events.jsonl: each of its lines", format: nil, of: RunEvent.self)
}
