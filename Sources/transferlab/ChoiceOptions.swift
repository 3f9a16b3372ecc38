import RunLog
import Runs

/// `--filter` and `--case`, for every command that plays scenarios.
enum ChoiceOptions {
    static let options: [CommandOption] = ["--filter", "--case"]

    static let help = """
          --filter TAG,…
                        only scenarios that have one of these tags
          --case NAME=VALUE,…
                        if a file has a matrix, only the cases with these values
        """

    /// Returns the scenarios to play.
    static func read(
        _ arguments: Arguments, in world: RunBeginning.World
    ) throws -> ScenarioChoice {
        let paths = try arguments.scenarioPaths()
        return try ScenarioChoice(
            of: ScenarioFiles.read(paths), at: paths, tags: tags(arguments),
            cases: cases(arguments), in: world)
    }

    static func tags(_ arguments: Arguments) throws(UsageError) -> [String] {
        guard let tags = arguments.list("--filter") else { return [] }
        try arguments.require(
            !tags.isEmpty && !tags.contains(""),
            "--filter takes tags separated by commas, not “\(arguments["--filter"] ?? "")”")
        return tags
    }

    private static func cases(_ arguments: Arguments) throws(UsageError) -> [String] {
        guard let cases = arguments.list("--case") else { return [] }
        try arguments.require(
            !cases.isEmpty && cases.allSatisfy { $0.contains("=") },
            "--case takes values such as profile=apple-lte, separated by commas, not "
                + "“\(arguments["--case"] ?? "")”")
        return cases
    }
}
