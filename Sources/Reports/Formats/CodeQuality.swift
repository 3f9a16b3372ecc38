package import Foundation
import RunLog

/// `gl-code-quality-report.json`: failures at lines of files, for GitLab's merge requests.
package enum CodeQuality {
    /// Returns the report. Failures without a file are left out, because GitLab has no place for
    /// them.
    package static func data(for report: TestReport) -> Data {
        var counts: [[String]: Int] = [:]
        let issues = report.failures.compactMap { test, failure in
            test.place(of: failure).map { place in
                // Neither the line nor the message belongs to the fingerprint: the same failure may
                // move, and come at another moment of the run.
                let words = [place.file] + test.suite + [test.name, failure.kind]
                let count = counts[words, default: 0]
                counts[words] = count + 1
                let text = (words + ["\(count)"]).map { $0 + "\n" }
                return Issue(test, failure, at: place, fingerprint: RunDigest.text(of: text))
            }
        }
        return RunJSON.file(issues)
    }

    private struct Issue: Encodable {
        var description: String
        var check: String
        var fingerprint: String
        var severity: String
        var location: Location

        private enum CodingKeys: String, CodingKey {
            case description
            case check = "check_name"
            case fingerprint, severity, location
        }

        init(
            _ test: TestCase, _ failure: TestFailure, at place: SourcePlace, fingerprint: String
        ) {
            let isNamed = failure.message.hasPrefix(test.name)
            description = isNamed ? failure.message : "\(test.name): \(failure.message)"
            self.fingerprint = fingerprint
            check = "transferlab/\(failure.kind)"
            severity =
                switch test.outcome {
                case .broke: "critical"
                case .passed, .skipped, .failed: "major"
                }
            location = Location(path: place.file, lines: .init(begin: place.line))
        }
    }

    private struct Location: Encodable {
        var path: String
        var lines: Lines

        struct Lines: Encodable { var begin: Int }
    }
}
