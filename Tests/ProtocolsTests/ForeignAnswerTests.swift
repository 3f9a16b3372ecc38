import Protocols
import Testing

@Suite struct ForeignAnswerTests {
    private static let page = ("Content-Type", "Text/HTML; charset=utf-8")

    @Test(arguments: [301, 302, 303, 307, 308, 511])
    func `a redirect and 511 are of a portal`(status: Int) {
        #expect(answer(status).isForeign(to: "/dav/film.mov"))
    }

    @Test(arguments: ["/dav/film.mov", "/dav/film", "/once/a.html.mov?sign=index.html"])
    func `so is a page where none was asked for`(target: String) {
        #expect(answer(200, Self.page).isForeign(to: target))
        #expect(answer(200, ("Content-Type", "application/xhtml+xml")).isForeign(to: target))
    }

    @Test(arguments: ["/dav/index.html", "/dav/INDEX.HTM", "/dav/a.xhtml?x=1"])
    func `a page that was asked for by its name may be the server's`(target: String) {
        #expect(!answer(200, Self.page).isForeign(to: target))
    }

    @Test(arguments: ["ETag", "Last-Modified", "Tus-Resumable", "Upload-Offset", "Location"])
    func `a page with a field that only the server has reason to send is the server's`(
        field: String
    ) {
        #expect(!answer(200, Self.page, (field, "x")).isForeign(to: "/dav/film.mov"))
    }

    @Test(arguments: [200, 201, 204, 206, 304, 404, 409, 500, 503])
    func `other answers are the server's`(status: Int) {
        #expect(!answer(status).isForeign(to: "/dav/film.mov"))
        guard status != 200 else { return }
        #expect(!answer(status, Self.page).isForeign(to: "/dav/film.mov"))
    }

    private func answer(_ status: Int, _ fields: (String, String)...) -> HTTPResponseHead {
        HTTPResponseHead(status, fields: HTTPFields(fields))
    }
}
