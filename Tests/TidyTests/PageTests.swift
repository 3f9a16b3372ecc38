import Foundation
import Testing

/// A page that names a file, or a heading of another page, names one that is there.
@Suite struct PageTests {
    static let pages = House.texts.filter { $0.path.hasSuffix(".md") }

    @Test func `every link of a page leads somewhere`() {
        #expect(Self.pages.count > 8)
        Self.pages.flatMap { Self.deadLinks(of: $0.text, path: $0.path) }.expectNone()
    }

    @Test func `every file of the house that a page names in code is there`() {
        Self.pages.flatMap { Self.strangers(in: $0.text, path: $0.path) }.expectNone()
    }

    @Test func `the scenario on the front page is the one that it names`() throws {
        let page = try #require(Self.pages.first { $0.path == "README.md" }).text
        let match = try #require(
            page.firstMatch(of: /\((Scenarios\/[^)]*)\):\n\n```yaml\n((?:.*\n)*?)```/))
        let file = try #require(House.texts.first { $0.path == match.1 }).text
        let lines = file.split(separator: "\n").map { line in
            String(line.prefix(upTo: line.firstRange(of: " #")?.lowerBound ?? line.endIndex))
                .replacing(/\s+$/, with: "")
        }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
        #expect(match.2.split(separator: "\n").map(String.init) == lines)
    }

    /// But for the program that it shows.
    @Test func `the front page is short`() throws {
        let page = try #require(Self.pages.first { $0.path == "README.md" }).text
            .replacing(/```swift\n(.*\n)*?```\n/, with: "")
        #expect(page.split(separator: "\n", omittingEmptySubsequences: false).count <= 131)
    }

    @Test func `a dead link is found, and a heading that is not there`() {
        let text =
            "[a](Package.swift)\n[b](Sources/Nothing.swift) [c](https://host/x)\n[d](#none)\n"
        let findings = Self.deadLinks(of: text, path: "Sources.md")
        #expect(findings.map(\.line) == [2, 3])
        let nested =
            "[up](../README.md#the-map), [gone](../README.md#the-mop)\n[self](#gone)\n# Gone\n"
        #expect(Self.deadLinks(of: nested, path: "Scenarios/x.md").map(\.line) == [1])
    }

    @Test func `a file that is not there is found in code`() {
        let text =
            "`Sources/RunPlan`, `Sources/Runs/Nobody.swift`\n`Reports/latest` and `./lab x`\n"
        #expect(Self.strangers(in: text, path: "x.md").map(\.line) == [1])
    }

    /// Links within the repository whose file or heading is missing.
    static func deadLinks(of text: String, path: String) -> [Finding] {
        lines(of: text).flatMap { number, line in
            line.matches(of: /\]\(([^)\s]+)\)/).compactMap { match -> Finding? in
                let link = String(match.1)
                guard !link.contains("://") else { return nil }
                let parts = link.split(separator: "#", omittingEmptySubsequences: false)
                let file = parts[0].isEmpty ? path : resolved(String(parts[0]), from: path)
                let page = parts[0].isEmpty ? text : House.texts.first { $0.path == file }?.text
                guard parts[0].isEmpty || isThere(file) else {
                    return Finding(
                        path: path, line: number, fault: "\(link) leads nowhere",
                        remedy: "name a file that is there, relative to this page")
                }
                guard parts.count > 1, !headings(of: page ?? "").contains(String(parts[1])) else {
                    return nil
                }
                return Finding(
                    path: path, line: number, fault: "\(file) has no heading #\(parts[1])",
                    remedy: "name one of its headings, in small letters and with hyphens")
            }
        }
    }

    /// Paths below the folders of the house, in code, that are not there.
    static func strangers(in text: String, path: String) -> [Finding] {
        lines(of: text).flatMap { number, line in
            line.matches(of: /`((?:Sources|Tests|Scenarios)\/[^`\s*]*)`/).compactMap { match in
                let file = String(match.1)
                guard !isThere(file) else { return nil }
                return Finding(
                    path: path, line: number, fault: "there is no \(file)",
                    remedy: "name the file that does its work now")
            }
        }
    }

    private static func lines(of text: String) -> [(Int, Substring)] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { ($0.offset + 1, $0.element) }
    }

    private static func isThere(_ path: String) -> Bool {
        House.files.contains(path) || House.folders.contains(path + "/")
            || House.folders.contains(path)
    }

    /// `../b.md` from `a/c.md` is `b.md`.
    private static func resolved(_ link: String, from page: String) -> String {
        var parts = page.split(separator: "/").dropLast().map(String.init)
        for part in link.split(separator: "/") {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }

    /// As web sites make anchors of them.
    private static func headings(of page: String) -> Set<String> {
        Set(
            lines(of: page).filter { $0.1.hasPrefix("#") }.map { _, line in
                line.drop { $0 == "#" || $0 == " " }.lowercased()
                    .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
                    .replacing(" ", with: "-")
            })
    }
}
