import LinkModels
import Quantities

/// Files that are alike: `photo-*.jpg: { count: 200, size: 1 MB to 6 MB }`.
///
/// A series is unrolled in the tree, before any key is read: each of its files gets an entry of its
/// own, and so does each item that uploads the series.
struct FileSeries {
    /// The path, with a star in place of the number.
    private let pattern: String
    private let sizes: [ByteCount]

    private static let example = "photo-*.jpg: { count: 200, size: 1 MB to 6 MB }"
    private static let most: UInt64 = 1_000
    /// The keys of an app whose items may upload a series.
    private static let lists = [
        "queue", OperationKeys.name, ResumableKeys.name, BackgroundKeys.name,
    ]

    /// The keys of a session with several objects, and all keys of one with several files.
    private static let objects = ["downloads", "persistent-downloads"]
    private static let sets = ["uploads", "persistent"] + objects

    static let shape = keys.shape

    private struct Draft {
        var count: UInt64?
        var sizes: ClosedRange<UInt64>?
    }

    private static let keys = KeyTable<Draft>(
        name: "a series of files",
        keys: [
            .required(
                "count", .number, "how many files a path with a star stands for", example: "200"
            ) { node, series in
                series.count = node.count(in: 1...most, "a number from 1 to \(most)")
            },
            .required(
                "size", bounds.shape,
                "the size of each, drawn from the first seed if there are two",
                example: "1 MB to 6 MB"
            ) { node, series in
                let words = node.text(expected: "a size such as 4 MB, or “1 MB to 6 MB”")
                series.sizes = words.flatMap { bounds.read($0) }
            },
        ])

    private static let bounds = PhraseBook<ClosedRange<UInt64>>(
        name: "a size, or two",
        phrases: [
            Phrase("SIZE to SIZE") { holes, _ in
                both(holes[0].size(), holes[1].size())
                    .flatMap { holes[1].range(from: $0.bytes, to: $1.bytes) }
            },
            Phrase("SIZE") { holes, _ in holes[0].size().map { $0.bytes...$0.bytes } },
        ])

    // MARK: The tree

    /// Returns the tree of a scenario with every series unrolled.
    static func unrolled(_ root: YAMLNode) -> YAMLNode { unrolled(root, seed: firstSeed(of: root)) }

    /// Reads the first seed; mistakes in it are reported where the key is read.
    private static func firstSeed(of root: YAMLNode) -> UInt64 {
        guard case .scalar(let text, _)? = root["seed"]?.oneOrSeveral.first?.content else {
            return 1
        }
        return UInt64(text.prefix { $0.isWholeNumber }) ?? 1
    }

    private static func unrolled(_ node: YAMLNode, seed: UInt64) -> YAMLNode {
        guard case .mapping(let old) = node.content else { return node }
        var pairs = old.map { YAMLNode.Pair(key: $0.key, value: unrolled($0.value, seed: seed)) }
        guard let place = pairs.firstIndex(where: { $0.key.isScalar("files") }),
            case .mapping(let files) = pairs[place].value.content
        else { return node.holding(.mapping(pairs)) }
        var all: [FileSeries] = []
        let single = files.flatMap { pair -> [YAMLNode.Pair] in
            guard case .mapping = pair.value.content else { return [pair] }
            guard let series = FileSeries(pair, seed: seed) else {
                return [YAMLNode.Pair(key: pair.key, value: pair.value.holding(.unreadable))]
            }
            all.append(series)
            return series.files(pair)
        }
        pairs[place].value = pairs[place].value.holding(.mapping(single))
        for (index, pair) in pairs.enumerated() where pair.key.isOneOf(lists) {
            guard case .sequence(let items) = pair.value.content else { continue }
            let more = items.flatMap { item in unrolled(item, by: all) }
            pairs[index].value = pair.value.holding(.sequence(more))
        }
        return node.holding(.mapping(pairs))
    }

    /// Returns the items for an item of a list: one for each file if it uploads a series.
    private static func unrolled(_ item: YAMLNode, by all: [FileSeries]) -> [YAMLNode] {
        if let source = item["upload"],
            let series = all.first(where: { source.isScalar($0.pattern) })
        {
            if let target = item["to"] { series.requireStar(in: target) }
            return series.numbers.map { item.replacingStars(by: $0) }
        }
        guard case .mapping(var pairs) = item.content else { return [item] }
        for place in pairs.indices where pairs[place].key.isOneOf(sets) {
            guard case .mapping(let files) = pairs[place].value.content else { continue }
            let areObjects = pairs[place].key.isOneOf(objects)
            let single = files.flatMap { unrolled($0, by: all, areObjects: areObjects) }
            pairs[place].value = pairs[place].value.holding(.mapping(single))
        }
        return [item.holding(.mapping(pairs))]
    }

    /// Returns the pairs for a file and its destination: one for each file of a series. An object
    /// to download belongs to the series with which its path ends.
    private static func unrolled(
        _ pair: YAMLNode.Pair, by all: [FileSeries], areObjects: Bool
    ) -> [YAMLNode.Pair] {
        guard case .scalar(let path, _) = pair.key.content, path.contains("*") else {
            return [pair]
        }
        let isMeant = { (series: FileSeries) in
            path == series.pattern || areObjects && path.hasSuffix("/\(series.pattern)")
        }
        guard let series = all.first(where: isMeant) else {
            // A file that is not there is reported where its name is read.
            if areObjects {
                pair.key.refuse(
                    "“\(path)” ends with no series of this app's files",
                    expected:
                        "a path such as incoming/photo-*.jpg, with “photo-*.jpg” under “files”")
            }
            return [pair]
        }
        series.requireStar(in: pair.value)
        return series.numbers.map { number in
            YAMLNode.Pair(
                key: pair.key.replacingStars(by: number),
                value: pair.value.replacingStars(by: number))
        }
    }

    // MARK: A series

    /// Reads an entry of `files`; `nil` after a report.
    private init?(_ pair: YAMLNode.Pair, seed: UInt64) {
        guard case .scalar(let pattern, _) = pair.key.content else { return nil }
        guard pattern.count(where: { $0 == "*" }) == 1 else {
            pair.key.refuse(
                "“\(pattern)” does not say where the number of a file goes",
                expected: "a path with one star, such as “\(Self.example)”")
            return nil
        }
        var draft = Draft()
        Self.keys.read(pair.value, into: &draft)
        guard let count = draft.count, let bounds = draft.sizes else { return nil }
        self.pattern = pattern
        var random = RandomStream(seed: seed, name: "files/\(pattern)")
        sizes = (0..<count).map { _ in
            let span = bounds.upperBound - bounds.lowerBound
            return ByteCount(bounds.lowerBound + random.below(span + 1))
        }
    }

    /// Requires that a destination differs for each file.
    private func requireStar(in target: YAMLNode) {
        guard case .scalar(let text, _) = target.content, !text.contains("*") else { return }
        target.refuse(
            "all files of “\(pattern)” would go to one place",
            expected: "a star for the number, such as incoming/\(pattern)")
    }

    /// The numbers of the files, all equally long: `001`, `002`.
    private var numbers: [String] {
        let width = "\(sizes.count)".count
        return (1...sizes.count).map { number in
            let digits = "\(number)"
            return String(repeating: "0", count: width - digits.count) + digits
        }
    }

    private func files(_ pair: YAMLNode.Pair) -> [YAMLNode.Pair] {
        zip(numbers, sizes).map { number, size in
            YAMLNode.Pair(
                key: pair.key.replacingStars(by: number),
                value: pair.value.holding(.scalar("\(size.bytes) B", .plain)))
        }
    }
}

extension YAMLNode {
    fileprivate func isOneOf(_ words: [String]) -> Bool { words.contains(where: isScalar) }

    /// Returns the node with this number in place of every star.
    fileprivate func replacingStars(by number: String) -> YAMLNode {
        switch content {
        case .scalar(let text, let style):
            holding(.scalar(text.replacing("*", with: number), style))
        case .sequence(let items):
            holding(.sequence(items.map { $0.replacingStars(by: number) }))
        case .mapping(let pairs):
            holding(
                .mapping(
                    pairs.map {
                        Pair(key: $0.key, value: $0.value.replacingStars(by: number))
                    }))
        case .unreadable: self
        }
    }
}
