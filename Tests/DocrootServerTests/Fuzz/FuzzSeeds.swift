/// Where a fuzzer begins: one of everything that the server understands, and bytes that have found
/// a mistake once.
extension FuzzTarget {
    var seeds: [[UInt8]] {
        switch self {
        case .http: Self.requests.map { Array($0.utf8) } + Self.streams
        case .tus: Self.fields.map { Array($0.utf8) }
        case .range: Self.ranges.map { Array($0.utf8) }
        case .paced: PacedTalk.seeds
        }
    }

    /// Names the host, without which nothing is served.
    private static func withHost(_ text: String) -> String {
        text.contains("Host: ")
            ? text : text.replacing(" HTTP/1.1\r\n", with: " HTTP/1.1\r\nHost: h\r\n")
    }

    static let requests: [String] = [
        "GET /dav/a HTTP/1.1\r\nRange: bytes=0-3,5-,-2\r\nIf-Range: \"v1\"\r\n\r\n",
        "GET /dav/a HTTP/1.0\r\nIf-None-Match: \"v1\", W/\"v2\"\r\nConnection: keep-alive\r\n\r\n",
        "PUT /dav/a HTTP/1.1\r\nContent-Length: 5\r\nIf-Match: *\r\n\r\nhello",
        "PUT /dav/c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n\r\n",
        "PUT /dav/k HTTP/1.1\r\nIdempotency-Key: k\r\nContent-Length: 5\r\n\r\nhello",
        "PROPFIND /dav/ HTTP/1.1\r\nDepth: 1\r\nContent-Length: 90\r\n\r\n"
            + "<?xml version=\"1.0\"?>"
            + "<D:propfind xmlns:D=\"DAV:\"><D:prop><D:getetag/></D:prop></D:propfind>",
        "PROPPATCH /dav/a HTTP/1.1\r\nContent-Length: 114\r\n\r\n"
            + "<D:propertyupdate xmlns:D=\"DAV:\">"
            + "<D:set><D:prop><x:y xmlns:x=\"z\">&#65;</x:y></D:prop></D:set></D:propertyupdate>  ",
        "MKCOL /dav/f HTTP/1.1\r\n\r\n", "DELETE /dav/f HTTP/1.1\r\nDepth: infinity\r\n\r\n",
        "COPY /dav/a HTTP/1.1\r\nDestination: http://h/dav/b%20c\r\nOverwrite: T\r\n\r\n",
        "MOVE /dav/b%20c HTTP/1.1\r\nDestination: /dav/f/x\r\nDepth: infinity\r\n\r\n",
        "POST /tus HTTP/1.1\r\nTus-Resumable: 1.0.0\r\nUpload-Length: 5\r\n"
            + "Upload-Metadata: filename dHVz,x eQ==\r\n\r\n",
        "PATCH /tus/1 HTTP/1.1\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Length: 2\r\n"
            + "Content-Type: application/offset+octet-stream\r\n"
            + "Upload-Checksum: sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=\r\n\r\nhe",
        "HEAD /tus/1 HTTP/1.1\r\nTus-Resumable: 1.0.0\r\n\r\n",
        "DELETE /tus/2 HTTP/1.1\r\nTus-Resumable: 1.0.0\r\n\r\n",
        "POST /upload/u HTTP/1.1\r\nUpload-Draft-Interop-Version: 6\r\nUpload-Complete: ?0\r\n"
            + "Upload-Length: 9\r\nContent-Length: 5\r\n\r\nhello",
        "PATCH /uploads/2 HTTP/1.1\r\nUpload-Draft-Interop-Version: 3\r\nUpload-Incomplete: ?0\r\n"
            + "Upload-Offset: 5\r\nContent-Length: 4\r\n\r\nmore",
        "HEAD /uploads/2 HTTP/1.1\r\nUpload-Draft-Interop-Version: 5\r\n\r\n",
        "POST /api/apps/a/buckets/b/objects/o/body/uploads HTTP/1.1\r\n\r\n",
        "PUT /api/apps/a/buckets/b/objects/o/body/uploads/3/data HTTP/1.1\r\n"
            + "Content-Range: bytes=0-4/5\r\nContent-Length: 5\r\n\r\nhello",
        "POST /api/apps/a/buckets/b/objects/o/body/uploads/3/status/committed HTTP/1.1\r\n\r\n",
        "POST /once/o HTTP/1.1\r\n\r\n",
        "PUT /once/o?user=&expires=900&signature=00 HTTP/1.1\r\nContent-Length: 1\r\n\r\nx",
        "OPTIONS * HTTP/1.1\r\nExpect: 100-continue\r\n\r\n",
    ].map(withHost)

    private static let streams = [
        "GET /dav/a HTTP/1.1\r\n\r\nHEAD /dav/a HTTP/1.1\r\n\r\nDELETE /dav/a HTTP/1.1\r\n\r\n",
        "PUT /dav/b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\n\r\n"
            + "GET /dav/b HTTP/1.1\r\nRange: bytes=1-\r\nConnection: close\r\n\r\nrest",
        "PUT /dav/b HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
        "GET /%64av/a HTTP/1.1\r\nHost: h\r\n\r\n", "GET /dav/../x HTTP/1.1\r\n\r\n",
        // What came before a mistake was not answered when it came with it.
        "GET /dav/a HTTP/1.1\r\n\r\nHEAD /dav/a HTTP/2.1\r\n\r\nDELETE /dav/a HTTP/1.1\r\n\r\n",
        // What came after a refusal by the disk was answered only if it came with what was refused.
        "POST /upload/a/b HTTP/1.1\r\n\r\nGET /dav/a HTTP/1.1\r\n\r\n",
        "\r\n\r\nOPTIONS /dav HTTP/1.1\r\nContent-Length: 0, 0\r\n\r\n",
    ].map { Array(withHost($0).utf8) }

    /// Tus-Resumable, Upload-Offset, Upload-Checksum, Content-Type, Upload-Length,
    /// Upload-Metadata, Upload-Concat, Upload-Defer-Length.
    private static let fields = [
        "1.0.0\n0\nsha1 RkTySi2nbGtCpNjWCQrIewjWT1Y=\napplication/offset+octet-stream\n100\n"
            + "filename YQ==",
        "1.0.0\n0\n\napplication/offset+octet-stream\n10\nfilename YQ==,x,y eg==\npartial\n1",
        "1.0.0\n10\nmd5 AA==\ntext/plain\n-1\nx\nfinal;/tus/1 /tus/2\n1",
        "0.2.2\n+0\nsha1\n\n18446744073709551616\n,,\n\n0", "\n0\n\n\n0\nfilename ",
    ]

    /// Range, If-Range, Content-Range.
    private static let ranges = [
        "bytes=0-9\n\"v1\"\nbytes 0-9/10", "bytes=-5\n\"v2\"\nbytes 0-9/*",
        "bytes=5-\nW/\"v1\"\nbytes */10", "bytes=0-1,5-6, -1\n\nbytes 10-19/20",
        "bytes=900-\nSun, 06 Nov 1994 08:49:37 GMT\nbytes 9-0/10", "bytes=9-0",
        "lines=0-1\n\"\nbytes 0-18446744073709551615/18446744073709551615",
        "bytes=18446744073709551615-18446744073709551616", "bytes=--1", "bytes=0-9,0-9,0-9,0-9",
    ]
}
