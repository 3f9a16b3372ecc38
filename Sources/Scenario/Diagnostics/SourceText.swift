/// A file as it was read: its lines for diagnostics, and the first flaw that keeps it from being
/// YAML.
struct SourceText: Sendable {
    let path: String
    let text: String
    private let lines: [String]
    private let flaw: Flaw?

    /// A scenario is a page; a larger file is the wrong one.
    static let largestSize = 1 << 20

    private struct Flaw {
        var place: Place
        var message: String
        var expected: String
    }

    init(_ bytes: [UInt8], path: String) {
        self.path = path
        guard bytes.count <= Self.largestSize else {
            text = ""
            lines = []
            flaw = Flaw(
                place: .beginning, message: "the file has \(bytes.count) bytes",
                expected: "a scenario of at most 1 MiB, with long traces in files of their own")
            return
        }
        let unmarked = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        var scan = Scan()
        scan.read(unmarked)
        text = String(decoding: unmarked, as: UTF8.self)
        lines = scan.lines
        flaw = scan.flaw
    }

    /// Reports what keeps the file from being YAML, if anything.
    func report(to mistakes: Mistakes, as file: Int) {
        if let flaw {
            mistakes.add(
                flaw.message, at: flaw.place.of(file: file), expected: flaw.expected)
        }
        for (index, line) in lines.enumerated() {
            let indentation = line.unicodeScalars.prefix { $0 == " " || $0 == "\t" }
            guard let tab = indentation.firstIndex(of: "\t"), indentation.count < line.count else {
                continue
            }
            let column = indentation.distance(from: indentation.startIndex, to: tab) + 1
            mistakes.add(
                "a tab in the indentation",
                at: Place(line: index + 1, column: column).of(file: file),
                expected: "spaces: YAML does not indent with tabs")
        }
    }

    /// Returns a line by its number, empty beyond the end.
    func line(_ number: Int) -> String {
        lines.indices.contains(number - 1) ? lines[number - 1] : ""
    }

    /// Returns the place, or the end of the last non-empty line for the end of the file, where
    /// libyaml puts an empty value.
    func inside(_ place: Place) -> Place {
        place.line <= lines.count ? place : within(place)
    }

    /// Returns the place, or the end of the last non-empty line if that comes first.
    func within(_ place: Place) -> Place {
        if place.line <= lines.count, !line(place.line).isEmpty { return place }
        guard let last = lines.prefix(place.line).lastIndex(where: { !$0.isEmpty }) else {
            return .beginning
        }
        return Place(line: last + 1, column: lines[last].unicodeScalars.count + 1)
    }

    /// Whether the line has exactly these words at this place, unfolded and unescaped.
    func says(_ words: String, at place: Place) -> Bool {
        line(place.line).unicodeScalars.dropFirst(place.column - 1)
            .starts(with: words.unicodeScalars)
    }

    /// Splits text into lines where libyaml does, so that its marks fit, and finds the first flaw.
    private struct Scan {
        var lines: [String] = []
        var flaw: Flaw?
        private var line = String.UnicodeScalarView()
        private var afterReturn = false

        mutating func read(_ bytes: ArraySlice<UInt8>) {
            if let text = String(validating: bytes, as: UTF8.self) {
                for scalar in text.unicodeScalars { take(scalar) }
                return lines.append(String(line))
            }
            var decoder = Unicode.UTF8.ForwardParser()
            var iterator = bytes.makeIterator()
            while true {
                switch decoder.parseScalar(from: &iterator) {
                case .valid(let encoded):
                    take(Unicode.UTF8.decode(encoded))
                case .error:
                    note(
                        "a byte that is not UTF-8", "UTF-8 text: save the file in that encoding")
                    line.append("\u{FFFD}")
                case .emptyInput:
                    lines.append(String(line))
                    return
                }
            }
        }

        private mutating func take(_ scalar: Unicode.Scalar) {
            defer { afterReturn = scalar == "\r" }
            switch scalar {
            case "\n" where afterReturn: break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}":
                lines.append(String(line))
                line = String.UnicodeScalarView()
            case _ where scalar.isReadable: line.append(scalar)
            default:
                note("the control character \(scalar.codePoint)", "printable text")
                line.append("\u{FFFD}")
            }
        }

        private mutating func note(_ message: String, _ expected: String) {
            guard flaw == nil else { return }
            let place = Place(line: lines.count + 1, column: line.count + 1)
            flaw = Flaw(place: place, message: message, expected: expected)
        }
    }
}

extension Unicode.Scalar {
    /// Whether YAML 1.1 §5.1 allows it in a file, apart from line breaks.
    var isReadable: Bool {
        switch self {
        case "\t", " "..."~", "\u{A0}"..."\u{D7FF}", "\u{E000}"..."\u{FEFE}",
            "\u{FF00}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
            true
        default: false
        }
    }

    /// The code point, such as `U+001B`.
    var codePoint: String {
        let code = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
    }
}
