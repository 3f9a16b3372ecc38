package import Foundation

/// `junit.xml`: a suite for each folder of scenarios, with a case for each run.
///
/// The file obeys the schema of Jenkins' xUnit plugin, `junit-10.xsd`, in its strict form: a case
/// has no attributes for a file and a line, so the text of a failure begins with its place.
package enum JUnit {
    package static func document(for report: TestReport, began: Date, host: String) -> String {
        // Build servers show the dots of a name as a tree.
        let suites = report.cases.gathered(by: \.suiteName)
        let document: Markup = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="TransferLab \(report.command)" \(counts(of: report.cases))>
            \(suites.map { suite($0, began: began, host: host) })\
            </testsuites>

            """
        return document.text
    }

    private static func suite(_ cases: [TestCase], began: Date, host: String) -> Markup {
        let skipped = cases.count { if case .skipped = $0.outcome { true } else { false } }
        return """
            <testsuite name="\(cases[0].suiteName)" \(counts(of: cases)) skipped="\(skipped)" \
            timestamp="\(began.ISO8601Format())" hostname="\(host)">
            \(cases.map(testCase))\
            </testsuite>

            """
    }

    private static func counts(of cases: [TestCase]) -> Markup {
        let failures = cases.count { if case .failed = $0.outcome { true } else { false } }
        let errors = cases.count { if case .broke = $0.outcome { true } else { false } }
        return """
            tests="\(cases.count)" failures="\(failures)" errors="\(errors)" \
            time="\(seconds(cases.map(\.seconds).reduce(0, +)))"
            """
    }

    private static func testCase(_ test: TestCase) -> Markup {
        """
        <testcase classname="\(test.suiteName)" name="\(test.name)" \
        time="\(seconds(test.seconds))">
        \(result(of: test))<system-out>\(output(of: test))</system-out>
        </testcase>

        """
    }

    private static func result(of test: TestCase) -> Markup {
        switch test.outcome {
        case .passed: .nothing
        case .skipped(let reason): "<skipped message=\"\(reason)\"/>\n"
        case .failed(let failure): result("failure", failure, of: test)
        case .broke(let failure): result("error", failure, of: test)
        }
    }

    private static func result(
        _ element: Markup, _ failure: TestFailure, of test: TestCase
    ) -> Markup {
        let lines = [
            test.place(of: failure)?.description, failure.details.isEmpty ? nil : failure.details,
            failure.command.map { "reproduce with: \($0)" },
        ]
        return """
            <\(element) type="\(failure.kind)" message="\(failure.message)">\
            \(lines.compactMap(\.self).joined(separator: "\n"))</\(element)>

            """
    }

    /// The output with the attachments, in the form that Jenkins' JUnit Attachments plugin and
    /// GitLab read: each on a line of its own.
    private static func output(of test: TestCase) -> String {
        let lines = test.output + test.attachments.map { "[[ATTACHMENT|\($0)]]" }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func seconds(_ value: Double) -> String { String(format: "%.3f", value) }
}

extension TestCase {
    fileprivate var suiteName: String { suite.joined(separator: ".") }
}
