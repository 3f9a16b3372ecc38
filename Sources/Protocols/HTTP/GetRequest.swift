package import Quantities

/// A client's request to read an object (RFC 9110 §9.3.1): all of it, or the rest of a known state.
package struct GetRequest: Hashable, Sendable {
    /// The object's path, relative to the docroot, or any target.
    private let object: String
    /// The first byte to read.
    package let offset: ByteCount
    /// The validator of the state to which the earlier bytes belong.
    fileprivate let validator: String?
    private let place: Place
    private let extras: RequestExtras

    /// The server's front end that is asked.
    package enum Place: Hashable, Sendable { case dav, kii }

    package init(
        object: String, from offset: ByteCount, of validator: String?, at place: Place = .dav,
        _ extras: RequestExtras = RequestExtras()
    ) {
        self.extras = extras
        self.place = place
        self.object = object
        self.offset = offset
        self.validator = validator
    }

    package var target: String {
        switch place {
        case .dav: RequestExtras.target(of: object, below: "/dav/")
        case .kii: KiiCall.body(of: object)
        }
    }

    /// The target without its query, which may be a secret signature.
    package var loggedTarget: String { HTTPRequestHead.logged(target) }

    package func head(host: String) -> HTTPRequestHead {
        var fields = [("Host", host)]
        if offset > .zero, let validator {
            fields += [("Range", "bytes=\(offset.bytes)-"), ("If-Range", validator)]
        }
        return HTTPRequestHead(method, target, fields + extras.pairs)
    }

    private var method: String { extras.method ?? "GET" }

    /// Whether the answer has a head only.
    package var asksForHeadAlone: Bool { method == "HEAD" }

    /// Whether the answer's body is the object, of which a part is of use (B12).
    package var canResume: Bool {
        method == "GET" && extras.fields["Range"] == nil
    }
}

/// A server's answer to a GET.
package enum GetResponse: Hashable, Sendable {
    /// The object from this offset on follows. `total` is the size of the whole object, if told.
    case object(validator: String?, from: ByteCount, total: ByteCount?)
    /// The client's part is no longer of use.
    case startOver(because: String)
    /// Another answer, whose body is not the object.
    case other

    package init(parsing head: HTTPResponseHead, to request: GetRequest) {
        let tag = head.fields["ETag"]
        // A weak tag does not say that the bytes are the same (RFC 9110 §13.1.5).
        let validator = tag?.hasPrefix("W/") == true ? nil : tag
        switch head.status {
        case 200:
            let length = head.fields["Content-Length"].flatMap { ByteCount(decimalDigits: $0) }
            self = .object(validator: validator, from: .zero, total: length)
        case 206:
            let words = (head.fields["Content-Range"] ?? "").split { " -/".contains($0) }
            guard words.count == 4, words[0] == "bytes",
                let first = ByteCount(decimalDigits: String(words[1])), first == request.offset
            else {
                // Its ranges are of no use, but the whole object may be (B12).
                self = .startOver(because: "that is not the range that was asked for")
                return
            }
            // Only parts of one state are joined (RFC 9110 §15.3.7.3), whatever the server does
            // with the condition. A part without a validator may be of any state.
            guard let tag, tag == request.validator else {
                self = .startOver(
                    because: tag == nil
                        ? "nothing says of which state of the object the rest is"
                        : "what follows is of another state of the object")
                return
            }
            let total = ByteCount(decimalDigits: String(words[3]))
            self = .object(validator: validator, from: first, total: total)
        // RFC 9110 §15.5.17.
        case 416: self = .startOver(because: "there is nothing behind what is there")
        default: self = .other
        }
    }
}
