package import Foundation

/// `ctrf.json`: the cases in the Common Test Report Format (ctrf.io).
package enum CTRF {
    package static func data(
        for report: TestReport, by program: ProgramVersion, began: Date, ended: Date
    ) -> Data {
        let tests = report.cases.map(Test.init)
        func count(_ status: Test.Status) -> Int { tests.count { $0.status == status } }
        let document = Document(
            reportFormat: "CTRF", specVersion: "0.1.0", generatedBy: "TransferLab",
            timestamp: ended.ISO8601Format(),
            results: .init(
                tool: .init(name: "TransferLab", version: program.words),
                summary: .init(
                    tests: tests.count, passed: count(.passed), failed: count(.failed),
                    skipped: count(.skipped), suites: Set(report.cases.map(\.suite)).count,
                    start: milliseconds(began.timeIntervalSince1970),
                    stop: milliseconds(ended.timeIntervalSince1970),
                    duration: milliseconds(ended.timeIntervalSince(began))),
                tests: tests))
        return RunJSON.file(document)
    }

    private struct Document: Encodable {
        var reportFormat: String
        var specVersion: String
        var generatedBy: String
        var timestamp: String
        var results: Results
    }

    private struct Results: Encodable {
        var tool: Tool
        var summary: Summary
        var tests: [Test]
    }

    private struct Tool: Encodable {
        var name: String
        var version: String
    }

    private struct Summary: Encodable {
        var tests: Int
        var passed: Int
        var failed: Int
        var skipped: Int
        var pending = 0
        var other = 0
        var suites: Int
        var start: Int
        var stop: Int
        var duration: Int
    }

    private struct Test: Encodable {
        enum Status: String, Encodable { case passed, failed, skipped }

        var name: String
        var status: Status
        var duration: Int
        var suite: [String]
        var message: String?
        var trace: String?
        var line: Int?
        var tags: [String]?
        var rawStatus: String
        var filePath: String?
        var stdout: [String]
        var attachments: [Attachment]?

        init(_ test: TestCase) {
            name = test.name
            duration = milliseconds(test.seconds)
            suite = test.suite
            stdout = test.output
            tags = test.tags.isEmpty ? nil : test.tags
            let failure = test.outcome.failure
            message = failure?.message
            trace = failure?.details
            (status, rawStatus) =
                switch test.outcome {
                case .passed: (.passed, "green")
                case .skipped: (.skipped, "left out")
                case .failed: (.failed, "red")
                case .broke: (.failed, "no verdict")
                }
            if case .skipped(let reason) = test.outcome { message = reason }
            let place = failure.flatMap(test.place) ?? test.place
            line = place?.line
            filePath = place?.file
            attachments = test.attachments.isEmpty ? nil : test.attachments.map(Attachment.init)
        }
    }

    private struct Attachment: Encodable {
        var name: String
        var contentType: String
        var path: String

        init(_ path: String) {
            self.path = path
            name = URL(filePath: path).lastPathComponent
            contentType =
                switch URL(filePath: path).pathExtension {
                case "html": "text/html"
                case "json": "application/json"
                default: "text/plain"
                }
        }
    }

    private static func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1_000).rounded()) }
}
