/// The help of a command, taken apart for a manual and for shells.
struct HelpPage {
    let blocks: [Block]

    enum Block: Equatable {
        /// The lines after “usage:”.
        case usage([String])
        case paragraph(String)
        /// Options and other words, each with its explanation.
        case terms([Term])
        /// Lines to be shown as they are.
        case literal([String])
    }

    struct Term: Equatable {
        let name: String
        var text: String
    }

    init(_ help: String) {
        var blocks: [Block] = []
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        for part in lines.split(separator: "") {
            if let first = part.first, first.hasPrefix("usage: ") || first.hasPrefix("Example") {
                blocks += Self.commands(part.map(String.init))
                continue
            }
            // A list may follow its introduction without an empty line.
            var rest = part.map(String.init)[...]
            while !rest.isEmpty {
                let text = rest.prefix { !$0.hasPrefix("  ") }
                if !text.isEmpty { blocks.append(.paragraph(text.joined(separator: " "))) }
                rest = rest.dropFirst(text.count)
                let list = Array(rest.prefix { $0.hasPrefix("  ") })
                if !list.isEmpty { blocks.append(Self.list(list)) }
                rest = rest.dropFirst(list.count)
            }
        }
        self.blocks = blocks
    }

    /// The first sentence about each option that is explained.
    var summaries: [String: String] {
        var summaries: [String: String] = [:]
        for case .terms(let terms) in blocks {
            for term in terms {
                guard term.name.hasPrefix("--"), let name = term.name.split(separator: " ").first
                else { continue }
                summaries[String(name)] = String(term.text.prefix { !";:(".contains($0) })
                    .replacing(/\s+$/, with: "")
            }
        }
        return summaries
    }

    /// Returns a usage, or examples below their word.
    private static func commands(_ lines: [String]) -> [Block] {
        let colon = lines[0].firstIndex(of: ":") ?? lines[0].startIndex
        let label = lines[0][..<colon]
        let indentation = label.count + 2
        let commands = lines.map { String($0.dropFirst(indentation)) }
        return label == "usage"
            ? [.usage(commands)] : [.paragraph("\(label):"), .literal(commands)]
    }

    /// Returns the terms of a list, or the lines if they are something else.
    private static func list(_ lines: [String]) -> Block {
        let margin = lines[0].prefix { $0 == " " }.count
        var terms: [Term] = []
        for line in lines {
            let indentation = line.prefix { $0 == " " }.count
            let words = line.dropFirst(indentation)
            if indentation == margin {
                let gap = words.firstRange(of: "  ") ?? words.endIndex..<words.endIndex
                let text = words[gap.upperBound...].drop { $0 == " " }
                terms.append(Term(name: String(words[..<gap.lowerBound]), text: String(text)))
            } else {
                let last = terms.indices.last ?? 0
                terms[last].text += (terms[last].text.isEmpty ? "" : " ") + words
            }
        }
        return terms.allSatisfy { !$0.text.isEmpty } ? .terms(terms) : .literal(lines)
    }
}
