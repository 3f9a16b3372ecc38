import Protocols
import Testing

@testable import Live

/// Requests to the status page, and who may make them.
@Suite struct StatusRequestTests {
    @Test(arguments: [
        ("GET", "/", StatusRequest.show(.page)),
        ("GET", "/status.json", .show(.json)),
        ("POST", "/faults/disk%20full/on", .switchFault("disk full", on: true)),
        ("POST", "/faults/a/b/off", .switchFault("a/b", on: false)),
    ])
    func `a request that has a meaning is understood`(
        method: String, target: String, request: StatusRequest
    ) throws {
        #expect(try ask(method, target) == request)
        #expect(try ask(method, target, host: "LocalHost:8081") == request)
    }

    @Test(arguments: [
        ("GET", "/other"), ("POST", "/"), ("GET", "/faults/full/on"), ("POST", "/faults/full"),
        ("POST", "/faults//on"),
        ("POST", "/faults/full/away"), ("DELETE", "/faults/full/on"),
    ])
    func `another is told what there is`(method: String, target: String) {
        let error = #expect(throws: HTTPError.self) { try ask(method, target) }
        #expect(error?.status == 404)
        #expect(error?.reason.contains("GET /status.json") == true)
    }

    @Test(arguments: [nil, "example.com", "127.0.0.1", "127.0.0.1:8082", "localhost"])
    func `a name that is not the page's own is refused`(host: String?) {
        let error = #expect(throws: HTTPError.self) { try ask("GET", "/", host: host) }
        #expect(error?.status == 403)
    }

    @Test func `another site's page switches nothing`() throws {
        let error = #expect(throws: HTTPError.self) {
            try ask("POST", "/faults/full/on", origin: "http://example.com")
        }
        #expect(error?.status == 403)
        #expect(
            try ask("POST", "/faults/full/on", origin: "http://127.0.0.1:8081")
                == .switchFault("full", on: true))
    }

    private func ask(
        _ method: String, _ target: String, host: String? = "127.0.0.1:8081",
        origin: String? = nil
    ) throws(HTTPError) -> StatusRequest {
        var fields = HTTPFields()
        if let host { fields.add("Host", host) }
        if let origin { fields.add("Origin", origin) }
        return try StatusRequest(HTTPRequestHead(method, target, fields: fields), port: 8081)
    }
}
