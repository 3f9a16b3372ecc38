import Checks
import Quantities
import RunPlan

/// The key `visits`: requests of other clients of the server, by names that the timeline uses.
enum VisitKeys {
    static let shape = Shape.mapping(of: .text, to: keys.shape)
    static let example = "{ replace: { ask: PUT /dav/in/1.bin, body: other, answer: 204 } }"

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft) {
        guard let pairs = node.pairs(expected: "visits by their names, such as \(example)") else {
            return
        }
        draft.visitNames = pairs.map(\.key.text)
        for (name, value) in pairs {
            var visit = VisitDraft()
            let known = node.mistakes.count
            keys.read(value, into: &visit)
            guard node.mistakes.count == known, let plan = visit.plan(name) else { continue }
            draft.visits.append(plan)
            guard let demand = visit.demand(name) else { continue }
            draft.expectations.append(
                Scenario.Expectation(
                    plan: .visitIsAnswered(demand), words: demand.statement,
                    place: name.location))
        }
    }

    private static let keys = KeyTable<VisitDraft>(
        name: "a visit",
        keys: [
            .optional(
                "ask", .matching("[A-Z]+ [^ ]+", example: "GET /dav/in/1.bin"),
                "the method and the target; `Host` and `Content-Length` are added unless `fields` "
                    + "has them", example: "GET /dav/in/1.bin", \.ask
            ) { $0.text(expected: "a method and a target such as GET /dav/in/1.bin") },
            .optional(
                "fields", .mapping(of: .text, to: .text), "the fields of its head, as written",
                example: "{ Range: bytes=0-9 }", \.fields, read: fields),
            .optional("body", .text, "the text of its body", \.body) { $0.verbatim },
            .optional("size", .size, "the length of a body of any bytes", \.size) { node in
                node.text(expected: "a size such as 3 kB")?.size(expected: "at most 16 MB") {
                    $0.bytes <= 16_000_000 ? nil : "\($0) is too long for a visit"
                }
            },
            .optional(
                "raw", .text,
                "all that is sent, byte by byte, instead of the keys above: `\\r`, `\\n`, `\\t`, "
                    + "`\\\\` and `\\x00` to `\\xff` are what they are in C",
                example: #"'GET / HTTP/1.1\r\nHost: docroot\r\n\r\n'"#, \.raw
            ) { node in
                node.verbatim.flatMap { text in
                    Escapes.bytes(of: text)
                        ?? node.refuse(
                            "a backslash begins nothing that is known here",
                            expected: #"\r, \n, \t, \\ or two digits as in \x0a"#)
                }
            },
            .optional(
                "connection", .text,
                "visits with this word share a connection; by default a visit "
                    + "has one of its own", \.connection
            ) { $0.text(expected: "a name for the connection")?.text },
            .optional(
                "piece", .size, "how much of it is sent at a time; by default all at once", \.piece
            ) { node in
                node.text(expected: "a size such as 10 B")?.size(expected: "at least 1 B") {
                    $0 > .zero ? nil : "nothing would ever be sent"
                }
            },
            .optional("pause", .time, "the time after each piece; by default 1 s", \.pause) {
                $0.time()
            },
            .yesOrNo(
                "hangs-up", "whether the client is gone as soon as all is sent", \.hangsUp),
            .optional(
                "answer", .oneOrSeveral(.text),
                "the status that must be answered, or several in a list, where the last is the "
                    + "final one; `none`: the connection ends without an answer",
                example: "[100, 201]", \.statuses, read: statuses),
            .optional(
                "with", .mapping(of: .text, to: .text),
                "fields that the answer must have, or lack with `none`",
                example: "{ Content-Range: bytes 0-9/10 }", \.answerFields
            ) { node in
                fields(node)?.map {
                    .init(name: $0.name, value: $0.value == "none" ? nil : $0.value)
                }
            },
            .optional("holds", .text, "a text that the answer's body must contain", \.text) {
                $0.verbatim
            },
            .optional("answer-size", .size, "the length of the answer's body", \.answerSize) {
                $0.text(expected: "a size such as 3 kB")?.size()
            },
        ])

    private static func fields(_ node: YAMLNode) -> [(name: String, value: String)]? {
        node.pairs(expected: "fields such as { Range: bytes=0-9 }")?.compactMap { name, value in
            value.verbatim.map { (name.text, $0) }
        }
    }

    private static func statuses(_ node: YAMLNode) -> [Int]? {
        if node.isScalar("none") { return [] }
        let expectation = "a status such as 412, several in a list, or `none`"
        return node.oneOrSeveral.compactMap { item in
            item.text(expected: expectation)?.count(in: 100...599, expectation).map { Int($0) }
        }
    }
}

extension YAMLNode {
    /// The value as it is written, with blanks and line ends.
    fileprivate var verbatim: String? {
        guard case .scalar(let text, _) = content else {
            return refuse("this is no text", expected: "a text, in quotes if it has colons")
        }
        return text
    }
}

extension ScenarioDraft {
    /// Returns the name of one of the visits.
    func visit(_ name: PlacedText) -> String? {
        if visitNames.contains(name.text) { return name.text }
        return name.refuse(
            "there is no visit “\(name.text)”", expected: "a name under “visits”",
            among: visitNames)
    }
}

/// A visit while it is read.
private struct VisitDraft {
    var ask: PlacedText?
    var fields: [(name: String, value: String)] = []
    var body: String?
    var size: ByteCount?
    var raw: [UInt8]?
    var connection: String?
    var piece: ByteCount?
    var pause: TimeSpan?
    var hangsUp = false
    var statuses: [Int]?
    var answerFields: [VisitDemand.Field] = []
    var text: String?
    var answerSize: ByteCount?

    func plan(_ name: PlacedText) -> Visit? {
        guard let bytes = bytes(name) else { return nil }
        var visit = Visit(name: name.text, bytes: bytes)
        visit.connection = connection
        guard piece != nil || pause == nil else {
            return name.refuse(
                "“pause” comes after each piece, and there are none",
                expected: "“piece” beside it, such as piece: 10 B")
        }
        visit.pieces = piece.map { size in
            Visit.Pieces(size: Int(size.bytes), pause: pause ?? .seconds(1))
        }
        visit.hangsUp = hangsUp
        return visit
    }

    /// Returns what must be answered; `nil` if the file does not say.
    func demand(_ name: PlacedText) -> VisitDemand? {
        let saysNothing =
            statuses == nil && answerFields.isEmpty && text == nil && answerSize == nil
        guard !saysNothing else { return nil }
        if statuses == [], !(answerFields.isEmpty && text == nil && answerSize == nil) {
            return name.refuse(
                "“answer: none” leaves nothing that could have fields or a body",
                expected: "“answer: none” alone, or a status")
        }
        return VisitDemand(
            visit: name.text, statuses: statuses, fields: answerFields, text: text, size: answerSize
        )
    }

    private func bytes(_ name: PlacedText) -> [UInt8]? {
        if let raw {
            guard ask == nil, fields.isEmpty, body == nil, size == nil else {
                return name.refuse(
                    "“raw” is all that is sent", expected: "either “raw” or “ask” with its keys")
            }
            return raw
        }
        guard let ask else {
            return name.refuse(
                "the visit “\(name.text)” asks nothing",
                expected: "for instance “ask: GET /dav/in/1.bin”")
        }
        let words = ask.text.split(separator: " ")
        guard words.count == 2 else {
            return ask.refuse(
                "“\(ask.text)” is not a method and a target",
                expected: "a method and a target such as GET /dav/in/1.bin")
        }
        guard body == nil || size == nil else {
            return name.refuse("“body” and “size” are two bodies", expected: "one of the two")
        }
        let content =
            body.map { Array($0.utf8) }
            ?? [UInt8](repeating: UInt8(ascii: "x"), count: Int((size ?? .zero).bytes))
        var head = "\(ask.text) HTTP/1.1\r\n"
        if !has("Host") { head += "Host: docroot\r\n" }
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        let hasBody = body != nil || size != nil
        if hasBody, !has("Content-Length"), !has("Transfer-Encoding") {
            head += "Content-Length: \(content.count)\r\n"
        }
        return Array("\(head)\r\n".utf8) + content
    }

    private func has(_ name: String) -> Bool {
        fields.contains { $0.name.lowercased() == name.lowercased() }
    }
}

/// The escapes of a text that stands for bytes.
private enum Escapes {
    /// Returns the bytes; `nil` for an unknown escape.
    static func bytes(of text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "r"): bytes.append(0x0d)
            case UInt8(ascii: "n"): bytes.append(0x0a)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "\\"): bytes.append(0x5c)
            case UInt8(ascii: "x"):
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else {
                    return nil
                }
                bytes.append(value)
                rest = rest.dropFirst(2)
            default: return nil
            }
        }
        return bytes
    }
}
