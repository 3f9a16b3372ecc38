package import Reports

/// The schemas of all JSON that the program writes for other programs.
package enum FileSchemas {
    package static let all = [
        SuiteJSON.schema, RunJSON.schema, CrashJSON.schema, ChanceJSON.schema, FigureSheet.schema,
        ComparisonJSON.schema, PerformanceJSON.schema,
    ]
}
