import Foundation
import Reports
import RunLog

/// Two runs side by side: the same, or different from one event on.
package struct Comparison: CustomStringConvertible {
    package let isEqual: Bool
    package let description: String

    /// How many of the common events before the difference are shown.
    private static let context = 3

    /// `left` and `right` are folders of runs.
    package init(of left: String, with right: String) throws(RunFailure) {
        let models = (try RunFolder.model(at: left), try RunFolder.model(at: right))
        let logs = (try Self.events(in: left), try Self.events(in: right))
        let common = zip(logs.0, logs.1).prefix { Self.isSame($0, $1) }.count
        if common == logs.0.count && common == logs.1.count {
            isEqual = models.0.digest == models.1.digest
            description =
                isEqual
                ? "The same: \(common) events, digest \(models.0.digest)."
                : "All \(common) events are the same, but the digests are not: the files of one "
                    + "run have been changed, or the runs are of different programs."
            return
        }
        isEqual = false
        var lines = ["The runs differ from event \(common) on."]
        if models.0.beginning.seed != models.1.beginning.seed {
            lines.append(
                "Their seeds differ: \(models.0.beginning.seed) and \(models.1.beginning.seed).")
        }
        for index in max(0, common - Self.context)..<common {
            lines.append("    \(index)  \(Self.words(logs.0[index]))")
        }
        lines.append("  < \(common)  \(Self.words(logs.0, common))")
        lines.append("  > \(common)  \(Self.words(logs.1, common))")
        lines.append("  <  is \(left)")
        lines.append("  >  is \(right)")
        description = lines.joined(separator: "\n")
    }

    /// The first event names the command and the folder; only what was played counts.
    private static func isSame(_ left: RunEvent, _ right: RunEvent) -> Bool {
        guard case .run(.began(let one)) = left.fact, case .run(.began(let other)) = right.fact
        else { return left == right }
        return one.text == other.text && one.seed == other.seed && one.world == other.world
    }

    private static func words(_ log: [RunEvent], _ index: Int) -> String {
        index < log.count ? words(log[index]) : "(the run is over)"
    }

    /// A mark stands for all packets of the second before it.
    private static func words(_ event: RunEvent) -> String {
        guard case .packets = event.fact else { return event.description }
        return event.description + " (the packets of the second before differ)"
    }

    private static func events(in path: String) throws(RunFailure) -> [RunEvent] {
        let folder = path.hasSuffix(RunFolder.modelName) ? "\(path)/.." : path
        let file = folder + "/" + RunFolder.eventsName
        guard let data = FileManager.default.contents(atPath: file) else {
            throw RunFailure("there is no \(RunFolder.eventsName) in \(path)")
        }
        do throws(EventLines.Unreadable) { return try EventLines.events(in: data) } catch {
            throw RunFailure("\(file):\(error.line): \(error.reason)")
        }
    }
}
