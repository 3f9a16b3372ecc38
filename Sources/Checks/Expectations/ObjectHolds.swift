import Content
import Quantities
import RunLog

/// `PATH holds PATH`: at the end readers see the file as it is then, or one of its versions.
struct ObjectHolds: Expectation {
    let object: String
    let source: String
    /// The version, counted from 1; `nil` means the latest.
    let number: Int?

    var watch = Watch()
    var versions: [[ContentRange]] = []
    var content: [ContentRange]?
    var version: UInt64 = 0

    var statement: String {
        "\(object) holds \(number.map { "version \($0) of " } ?? "the latest ")\(source) in the end"
    }

    var subject: RuleSubject? { .content }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .file(.stands(source, let version, let size)):
            versions.append([ContentRange(version, offset: .zero, length: size)].joined)
        case .server(.published(_, object, let version, let ranges)):
            content = ranges.joined
            self.version = version
        case .server(.removed(object)): content = nil
        case .run(.ended): judge()
        default: break
        }
    }

    private mutating func judge() {
        let place = (number ?? versions.count) - 1
        guard versions.indices.contains(place) else {
            return watch.fall(
                expected: statement, seen: "\(source) has had only \(versions.count) versions")
        }
        let wanted = versions[place]
        guard let content else {
            return watch.fall(expected: statement, seen: "there is no object")
        }
        guard content != wanted else { return }
        let first = content.prefix(3).map(\.description).joined(separator: ", ")
        watch.fall(
            expected: "\(statement): \(wanted.map(\.description).joined(separator: ", "))",
            seen: "version \(version) of the object holds \(first.isEmpty ? "no bytes" : first)")
    }
}
