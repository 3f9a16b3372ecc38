/// The targets of `Package.swift`, read from its text: asking SwiftPM takes seconds and a lock.
struct Manifest: Sendable {
    struct Target: Hashable, Sendable {
        /// The function that makes it, such as `room`, `tests` or `systemLibrary`.
        var maker: String
        var name: String
        var uses: [String]
        var line: Int

        var isTest: Bool { ["tests", "testTarget", "testedProgram"].contains(maker) }
    }

    /// In the order of the file, top to bottom.
    let targets: [Target]

    init(_ file: SourceFile) {
        let tokens = file.tokens
        let list = tokens.indices.dropLast().last {
            tokens[$0].isWord("targets") && tokens[$0 + 1].text == ":"
        }
        targets = list.map { Self.targets(in: tokens[$0...]) } ?? []
    }

    func target(named name: String) -> Target? { targets.first { $0.name == name } }

    /// Everything that is reachable from a target along declared arrows.
    func reach(of name: String) -> Set<String> {
        var found: Set<String> = []
        var open = target(named: name)?.uses ?? []
        while let next = open.popLast() {
            if found.insert(next).inserted { open += target(named: next)?.uses ?? [] }
        }
        return found
    }

    /// A target is a call inside the list; its first literal is the name, and the literals in the
    /// brackets after `uses:` or `dependencies:` are its arrows.
    private static func targets(in tokens: ArraySlice<SourceToken>) -> [Target] {
        var targets: [Target] = []
        var depth = 0
        var readsUses = false
        var previous: SourceToken?
        for token in tokens {
            switch (token.kind, token.text) {
            case (.symbol, "["), (.symbol, "("):
                depth += 1
                if depth == 2, let previous {
                    targets.append(
                        Target(maker: previous.text, name: "", uses: [], line: token.line))
                }
            case (.symbol, "]"), (.symbol, ")"):
                depth -= 1
                if depth <= 2 { readsUses = false }
                if depth <= 0 { return targets }
            case (.word, "uses"), (.word, "dependencies"):
                readsUses = true
            case (.literal, _) where !targets.isEmpty:
                if targets[targets.count - 1].name.isEmpty {
                    targets[targets.count - 1].name = token.text
                } else if readsUses {
                    targets[targets.count - 1].uses.append(token.text)
                }
            default: break
            }
            previous = token
        }
        return targets
    }
}
