import RunLog

/// The tree of a scenario, joined from its own file and its included parts.
///
/// A file overrides what it includes, and a part overrides earlier parts. Mappings are joined key
/// by key, down to the keys of a link's direction. Lists are joined if a longer one makes sense;
/// everything else is replaced.
struct IncludedTree {
    /// Returns the bytes of a file by its path; `nil` if it cannot be read.
    private let open: (String) -> [UInt8]?
    private let mistakes: Mistakes
    private(set) var parts: [IncludedPart] = []
    /// Whether every part could be read. If not, missing keys are not reported.
    private(set) var isWhole = true

    static let key = "include"
    static let ending = ".part.yaml"

    private static let joinedLists = ["cites", "tags", "queue", "timeline", "expect", "sometimes"]
    private static let joinedLevels = 3
    private static let deepest = 8
    private static let most = 50

    init(_ open: @escaping (String) -> [UInt8]?, _ mistakes: Mistakes) {
        self.open = open
        self.mistakes = mistakes
    }

    /// Reads a tree; `nil` if nothing is readable. `file` is its number among the mistakes'
    /// sources, and `chain` the paths of the files that include it.
    mutating func read(file: Int = 0, chain: [String] = []) -> YAMLNode? {
        guard let root = mistakes.tree(file: file) else { return nil }
        let path = mistakes.sources[file].path
        return joined(root, in: path, chain: chain + [path])
    }

    private mutating func joined(_ root: YAMLNode, in path: String, chain: [String]) -> YAMLNode? {
        guard case .mapping(var pairs) = root.content,
            let place = pairs.firstIndex(where: { $0.key.isScalar(Self.key) })
        else { return root }
        let node = pairs.remove(at: place).value
        var base: YAMLNode?
        for item in node.oneOrSeveral {
            let expectation = "the path of a part from here, such as parts/lte\(Self.ending)"
            guard let words = item.text(expected: expectation),
                let part = part(words, from: path, chain: chain)
            else {
                isWhole = false
                continue
            }
            base = base.map { Self.join($0, part, level: 0) } ?? part
        }
        let own = root.holding(.mapping(pairs))
        return base.map { Self.join($0, own, level: 0) } ?? own
    }

    private mutating func part(
        _ words: PlacedText, from includer: String, chain: [String]
    ) -> YAMLNode? {
        guard words.text.hasSuffix(Self.ending), words.text.first != "/" else {
            return words.refuse(
                "“\(words.text)” is not a part",
                expected: "a path from here to a file whose name ends in \(Self.ending)")
        }
        let path = PartPath.joining(words.text, to: includer)
        guard !chain.contains(path) else {
            return words.refuse(
                "“\(words.text)” includes itself", expected: "parts that do not include each other")
        }
        guard !parts.contains(where: { $0.path == path }) else {
            return words.refuse("“\(words.text)” is already included", expected: "each part once")
        }
        guard chain.count <= Self.deepest, parts.count < Self.most else {
            return words.refuse(
                "too many parts are included",
                expected: "at most \(Self.most) parts, \(Self.deepest) within each other")
        }
        guard let bytes = open(path) else {
            return words.refuse(
                "\(path) cannot be read", expected: "an existing file that you may read")
        }
        let source = SourceText(bytes, path: path)
        parts.append(IncludedPart(path: path, text: source.text))
        let file = mistakes.open(source, includedAt: words.place)
        guard let tree = read(file: file, chain: chain) else { return nil }
        guard case .mapping = tree.content else {
            return tree.refuse(
                "\(tree.kind) where keys are needed", expected: "some of a scenario's keys")
        }
        return tree
    }

    // MARK: Joining

    private static func join(_ base: YAMLNode, _ over: YAMLNode, level: Int) -> YAMLNode {
        guard level < joinedLevels, case .mapping(var pairs) = base.content,
            case .mapping(let upper) = over.content
        else { return over }
        for pair in upper {
            guard case .scalar(let name, _) = pair.key.content,
                let place = pairs.firstIndex(where: { $0.key.isScalar(name) })
            else {
                pairs.append(pair)
                continue
            }
            let lower = pairs[place].value
            if level == 0, joinedLists.contains(name), case .sequence(let first) = lower.content,
                case .sequence(let second) = pair.value.content
            {
                let list = pair.value.holding(.sequence(first + second))
                pairs[place] = YAMLNode.Pair(key: pair.key, value: list)
            } else {
                pairs[place] = YAMLNode.Pair(
                    key: pair.key, value: join(lower, pair.value, level: level + 1))
            }
        }
        return over.holding(.mapping(pairs))
    }
}

/// Paths of parts.
enum PartPath {
    /// Returns the path of a part: `../parts/a` from `Scenarios/network/b` is `Scenarios/parts/a`.
    static func joining(_ path: String, to includer: String) -> String {
        var names = includer.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        for name in path.split(separator: "/") where name != "." {
            if name == "..", let last = names.last, last != "..", !last.isEmpty {
                names.removeLast()
            } else {
                names.append(name)
            }
        }
        return names.joined(separator: "/")
    }
}
