import Protocols
import Testing

@Suite struct XMLReaderTests {
    @Test func `names belong to the namespaces that stand around them`() throws {
        let text = """
            <?xml version="1.0"?><!-- hello --><D:a xmlns:D="DAV:" xmlns="x:">
            <b D:c='1' d="&lt;&#65;"/><D:e xmlns:D="y:"><![CDATA[<&]]>&amp;</D:e></D:a>
            """
        let root = try read(text)
        #expect(root.name == XMLName("a", in: XMLName.dav))
        #expect(root.elements.map(\.name) == [XMLName("b", in: "x:"), XMLName("e", in: "y:")])
        #expect(
            root.elements[0].attributes.map(\.name) == [
                XMLName("c", in: XMLName.dav), XMLName("d", in: ""),
            ])
        #expect(root.elements[0].attributes.map(\.value) == ["1", "<A"])
        #expect(root.elements[1].children == [.text("<&&")])
    }

    @Test func `markup means the same when it is read again`() throws {
        let text = """
            <D:p xmlns:D="DAV:"><x xmlns="" y="&quot;&#10;"/><z xml:lang="de">ü &gt; u</z></D:p>
            """
        let root = try read(text)
        #expect(try read(root.markup) == root)
    }

    static let mistakes = [
        "", "x", "<a>", "<a></b>", "<a><b></a></b>", "<a b></a>", "<a b=1/>", "<a b='<'/>",
        "<a b='1' b='2'/>", "<a b='1'c='2'/>", "<a/><b/>", "<a>&nbsp;</a>", "<a>&#0;</a>",
        "<p:a/>", "<a xmlns:p=''/>", "<a:b:c xmlns:a='x'/>", "<1a/>", "<a><!-- </a>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<a><!DOCTYPE b></a>",
        String(repeating: "<a>", count: 100),
        // Each element brings its namespace along when it is written: these would grow.
        "<a xmlns='\(String(repeating: "n", count: 1_025))'/>",
        "<\(String(repeating: "n", count: 1_025))/>",
        "<a>" + String(repeating: "<b/>", count: 6_000) + "</a>",
        "<a \((0..<65).map { "b\($0)=''" }.joined(separator: " "))/>",
    ]

    @Test(arguments: mistakes) func `what is not well formed is refused`(text: String) {
        #expect(throws: HTTPError.self) { try read(text) }
    }

    @Test func `a document cut anywhere is refused`() throws {
        let text = Array("<D:a xmlns:D='DAV:' b='c'>d&amp;<e/><!-- f --></D:a>".utf8)
        for count in text.indices {
            #expect(throws: HTTPError.self) { try XMLReader.read(Array(text[..<count])) }
        }
    }

    private func read(_ text: String) throws -> XMLElement {
        try XMLReader.read(Array(text.utf8))
    }
}
