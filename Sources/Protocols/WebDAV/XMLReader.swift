/// Reads the bodies of WebDAV: XML 1.0 with namespaces, well formed or refused.
///
/// Nothing is fetched or expanded: a document type declaration is an error, as it could only read
/// other people's files or make bodies grow. Names are bounded, as each is written with its
/// namespace again.
package struct XMLReader {
    private var rest: ArraySlice<UInt8>
    private var elements = 0

    /// Deeper than any WebDAV request, and shallow enough for the stack.
    private static let depthLimit = 64
    /// More than an extended attribute of a file can hold, so that all stored properties can be
    /// read.
    private static let elementsLimit = 6_000
    private static let attributesLimit = 64
    /// The longest name of an element or namespace.
    private static let nameLimit = 1_024

    /// Parses the element of a document.
    package static func read(_ bytes: [UInt8]) throws(HTTPError) -> XMLElement {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw HTTPError(400, "the body is no XML: it is not UTF-8")
        }
        var reader = XMLReader(rest: bytes[...])
        return try reader.document()
    }

    private mutating func document() throws(HTTPError) -> XMLElement {
        if rest.starts(with: [0xef, 0xbb, 0xbf]) { rest = rest.dropFirst(3) }
        try skipAside()
        guard take("<") else { throw malformed("an element is missing") }
        let scope = ["xml": XMLName.xml, "": ""]
        let element = try self.element(in: scope, depth: 0)
        try skipAside()
        guard rest.isEmpty else { throw malformed("something follows the document") }
        return element
    }

    // MARK: Elements

    /// Reads an element after its `<`.
    private mutating func element(
        in outer: [String: String], depth: Int
    ) throws(HTTPError) -> XMLElement {
        guard depth < Self.depthLimit else { throw malformed("it is nested too deeply") }
        elements += 1
        guard elements <= Self.elementsLimit else { throw malformed("it has too many elements") }
        let name = try self.name()
        var raw: [(name: String, value: String)] = []
        var isEmpty = false
        while true {
            let hadBlank = skipBlanks()
            if take("/>") {
                isEmpty = true
                break
            }
            if take(">") { break }
            guard hadBlank else { throw malformed("<\(name) is not closed") }
            let attribute = try self.attribute()
            guard !raw.contains(where: { $0.name == attribute.name }) else {
                throw malformed("\(attribute.name) stands there twice")
            }
            raw.append(attribute)
            guard raw.count <= Self.attributesLimit else {
                throw malformed("<\(name) has too many attributes")
            }
        }
        let scope = try scope(outer, declaredBy: raw)
        var element = XMLElement(name: try resolve(name, in: scope, isAttribute: false))
        for (key, value) in raw where key != "xmlns" && !key.hasPrefix("xmlns:") {
            element.attributes.append(
                .init(name: try resolve(key, in: scope, isAttribute: true), value: value))
        }
        if !isEmpty { try content(of: &element, named: name, in: scope, depth: depth) }
        return element
    }

    private mutating func content(
        of element: inout XMLElement, named name: String, in scope: [String: String], depth: Int
    ) throws(HTTPError) {
        var text: [UInt8] = []
        func flush(_ element: inout XMLElement) {
            if !text.isEmpty {
                element.children.append(.text(String(decoding: text, as: UTF8.self)))
            }
            text = []
        }
        while true {
            if take("</") {
                guard try self.name() == name else { throw malformed("<\(name)> is not closed") }
                skipBlanks()
                guard take(">") else { throw malformed("</\(name) is not closed") }
                return flush(&element)
            } else if take("<!--") {
                _ = try upTo("-->")
            } else if take("<![CDATA[") {
                text += try upTo("]]>")
            } else if take("<?") {
                _ = try upTo("?>")
            } else if take("<!") {
                throw malformed("a declaration stands inside of <\(name)>")
            } else if take("<") {
                flush(&element)
                element.children.append(
                    .element(try self.element(in: scope, depth: depth + 1)))
            } else if take("&") {
                text += try reference()
            } else if let byte = rest.popFirst() {
                text.append(byte)
            } else {
                throw malformed("<\(name)> is not closed")
            }
        }
    }

    private mutating func attribute() throws(HTTPError) -> (name: String, value: String) {
        let name = try self.name()
        skipBlanks()
        guard take("=") else { throw malformed("\(name) has no value") }
        skipBlanks()
        guard let quote = rest.popFirst(), quote == 0x22 || quote == 0x27 else {
            throw malformed("the value of \(name) has no quotes")
        }
        var value: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == quote { return (name, String(decoding: value, as: UTF8.self)) }
            guard byte != UInt8(ascii: "<") else { break }
            value += byte == UInt8(ascii: "&") ? try reference() : [byte]
        }
        throw malformed("the value of \(name) does not end")
    }

    // MARK: Namespaces

    private func scope(
        _ outer: [String: String], declaredBy attributes: [(name: String, value: String)]
    ) throws(HTTPError) -> [String: String] {
        var scope = outer
        for (name, value) in attributes where name == "xmlns" || name.hasPrefix("xmlns:") {
            guard value.utf8.count <= Self.nameLimit else {
                throw malformed("the namespace of \(name) is too long")
            }
            if name == "xmlns" { scope[""] = value }
            guard name.hasPrefix("xmlns:") else { continue }
            // Namespaces in XML 1.0 §2.2: a prefix cannot be undeclared.
            guard !value.isEmpty else { throw malformed("\(name) declares an empty namespace") }
            scope[String(name.dropFirst(6))] = value
        }
        return scope
    }

    private func resolve(
        _ name: String, in scope: [String: String], isAttribute: Bool
    ) throws(HTTPError) -> XMLName {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }) else {
            throw malformed("“\(name)” is no name")
        }
        guard parts.count == 2 else {
            return XMLName(name, in: isAttribute ? "" : scope[""] ?? "")
        }
        guard let namespace = scope[String(parts[0])] else {
            throw malformed("the prefix of \(name) is declared nowhere")
        }
        return XMLName(String(parts[1]), in: namespace)
    }

    // MARK: Small things

    private mutating func name() throws(HTTPError) -> String {
        let name = rest.prefix { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xff,
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"):
                true
            default: false
            }
        }
        guard let first = name.first, !(0x2d...0x39).contains(first) else {
            throw malformed("a name is missing")
        }
        guard name.count <= Self.nameLimit else { throw malformed("a name is too long") }
        rest = rest.dropFirst(name.count)
        return String(decoding: name, as: UTF8.self)
    }

    /// Reads a reference after its `&`.
    private mutating func reference() throws(HTTPError) -> [UInt8] {
        let name = String(decoding: try upTo(";"), as: UTF8.self)
        let known = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        if let text = known[name] { return Array(text.utf8) }
        let isHexadecimal = name.hasPrefix("#x")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        guard name.hasPrefix("#"), let code = UInt32(digits, radix: isHexadecimal ? 16 : 10),
            let scalar = Unicode.Scalar(code), code >= 0x20 || [9, 10, 13].contains(code)
        else { throw malformed("&\(name); means nothing") }
        return Array(String(Character(scalar)).utf8)
    }

    /// Skips blanks, comments and instructions outside of the document's element.
    private mutating func skipAside() throws(HTTPError) {
        while true {
            skipBlanks()
            if take("<!--") {
                _ = try upTo("-->")
            } else if take("<?") {
                _ = try upTo("?>")
            } else if rest.starts(with: Array("<!".utf8)) {
                throw malformed("a document type is not taken")
            } else {
                return
            }
        }
    }

    @discardableResult
    private mutating func skipBlanks() -> Bool {
        let blanks = rest.prefix { $0 == 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
        rest = rest.dropFirst(blanks.count)
        return !blanks.isEmpty
    }

    private mutating func take(_ text: StaticString) -> Bool {
        let isThere = text.withUTF8Buffer { rest.starts(with: $0) }
        if isThere { rest = rest.dropFirst(text.utf8CodeUnitCount) }
        return isThere
    }

    private mutating func upTo(_ end: StaticString) throws(HTTPError) -> [UInt8] {
        var found: [UInt8] = []
        while !take(end) {
            guard let byte = rest.popFirst() else { throw malformed("\(end) is missing") }
            found.append(byte)
        }
        return found
    }

    private func malformed(_ what: String) -> HTTPError {
        HTTPError(400, "the body is no XML: \(what)")
    }
}
