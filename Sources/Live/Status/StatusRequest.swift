import Protocols

/// A request to the status page.
///
///     GET  /                    the state of the service, for a browser
///     GET  /status.json         the same for a program
///     POST /faults/NAME/on      switches on a fault of the script; `off` likewise
enum StatusRequest: Hashable {
    case show(StatusFormat)
    case switchFault(String, on: Bool)

    /// `port` is the page's own. A foreign page in the same browser must neither switch faults nor
    /// read the status under another name.
    init(_ head: HTTPRequestHead, port: UInt16) throws(HTTPError) {
        let homes = ["127.0.0.1:\(port)", "localhost:\(port)"]
        guard let host = head.fields["Host"], homes.contains(host.lowercased()) else {
            throw HTTPError(403, "the status page is only at http://\(homes[0])/")
        }
        if head.method == "GET", head.target == "/" {
            self = .show(.page)
        } else if head.method == "GET", head.target == "/status.json" {
            self = .show(.json)
        } else if head.method == "POST",
            let order = head.target.wholeMatch(of: /\/faults\/(.+)\/(on|off)/)
        {
            let origin = head.fields["Origin"]
            if let origin, !homes.contains(where: { "http://\($0)" == origin }) {
                throw HTTPError(403, "\(origin) may not press switches here")
            }
            self = .switchFault(try PercentCoding.decode(order.1), on: order.2 == "on")
        } else {
            throw HTTPError(
                404, "use GET /, GET /status.json, POST /faults/NAME/on or POST /faults/NAME/off")
        }
    }
}
