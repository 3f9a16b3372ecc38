import Content
import Quantities
import RunLog

/// `PATH holds PATH`: at the end readers see the file as it is then, or one of its versions.
struct ObjectHolds: Check {
    let rule: String
    let place: String?
    private let object: String
    private let source: String
    /// The version, counted from 1; `nil` means the latest.
    private let number: Int?

    private var watch = Watch()
    private var versions: [[ContentRange]] = []
    private var content: [ContentRange]?
    private var version: UInt64 = 0

    init(
        _ object: String, source: String, version number: Int?, words: String, place: String
    ) {
        self.object = object
        self.source = source
        self.number = number
        rule = words
        self.place = place
    }

    var statement: String {
        "\(object) holds \(number.map { "version \($0) of " } ?? "the latest ")\(source) in the end"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .file(.stands(source, let version, let size)):
            var whole: [ContentRange] = []
            whole.join(ContentRange(version, offset: .zero, length: size))
            versions.append(whole)
        case .server(.published(_, object, let version, let ranges)):
            var joined: [ContentRange] = []
            for range in ranges { joined.join(range) }
            content = joined
            self.version = version
        case .server(.removed(object)): content = nil
        case .run(.ended): judge()
        default: break
        }
    }

    func verdict() -> Verdict.Answer { watch.answer(notApplicableBecause: watch.missingEnd) }

    private mutating func judge() {
        let wanted: [ContentRange]? =
            if let number {
                versions.indices.contains(number - 1) ? versions[number - 1] : nil
            } else {
                versions.last
            }
        guard let wanted else {
            return watch.fall(
                expected: statement, seen: "\(source) has had only \(versions.count) versions")
        }
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
