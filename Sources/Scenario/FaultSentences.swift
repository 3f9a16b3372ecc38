package import DocrootServer
import Quantities

extension FaultRule {
    /// The rule in plain words, for readers of a report.
    package var sentence: String {
        var parts = ["Fault “\(name)”: \(fault.sentence)\(point.words(for: fault))"]
        parts += route.clauses + occasion.clauses
        switch (from, until) {
        case (nil, nil): parts.append("off until it is switched on")
        case (nil, let until?): parts.append("off until it is switched on, and from \(until.time)")
        case (let from?, let until?): parts.append("on from \(from.time) to \(until.time)")
        case (let from?, nil): if from > .start { parts.append("on from \(from.time)") }
        }
        return parts.joined(separator: "; ") + "."
    }
}

extension Instant {
    fileprivate var time: String { "\(sinceStart)" }
}

extension Fault {
    fileprivate var sentence: String {
        switch self {
        case .answer(let status, nil): return "the answer is \(status)"
        case .answer(let status, .seconds(let count)):
            return "the answer is \(status), to be tried again after \(count) s"
        case .answer(let status, .date(let count)):
            return "the answer is \(status), to be tried again at a date \(count) s later"
        case .reset: return "the connection is reset"
        case .close: return "the connection is closed"
        case .stall(let time?): return "nothing goes on for \(time)"
        case .stall(nil): return "nothing goes on"
        case .slow(let rate): return "it goes on at \(rate)"
        case .loseAnswer: return "the answer to what has changed something is lost"
        case .repeatAnswer: return "the answer comes twice"
        case .sendInChunks: return "objects are sent in chunks"
        case .ignore(let ignored): return "\(ignored.rawValue) is ignored"
        case .sendAnotherRange(.least): return "another range is sent"
        case .sendAnotherRange(.earlier(let distance)): return "a range \(distance) earlier is sent"
        case .sendAnotherRange(.later(let distance)): return "a range \(distance) later is sent"
        case .sendWrongContentRange: return "Content-Range is wrong"
        case .sendAnotherTag: return "the ETag is another one"
        case .sendField(let name, nil): return "there is no \(name)"
        case .sendField(let name, let value?): return "the answer says \(name): \(value)"
        case .keepLock(let time):
            return "an upload whose connection breaks stays locked for \(time)"
        case .expireToken: return "the token expires"
        case .fillDisk: return "the disk is full"
        case .quota(let limit): return "\(limit) may be kept"
        case .restart(let pause, let keepsStaging):
            let staging = keepsStaging ? "what is staged is kept" : "what is staged is lost"
            let time = pause == .zero ? "" : " after \(pause)"
            return "the server restarts\(time), and \(staging)"
        case .losePower(let steps, let pause):
            let count = steps.map { $0 == 1 ? "in 1 disk step" : "in \($0) disk steps" }
            let time = pause == .zero ? nil : "for \(pause)"
            let words = ["the server loses its power", count, time].compactMap(\.self)
            return words.joined(separator: " ")
        case .clock(let seconds):
            return "the server's clock is \(seconds.magnitude) s \(seconds < 0 ? "back" : "ahead")"
        case .malformed(let kind): return "the answer has \(kind.rawValue)"
        }
    }
}

extension FaultPoint {
    /// The place in words; empty if there is no other.
    fileprivate func words(for fault: Fault) -> String {
        switch kind {
        case .switching: ""
        case .request: fault.places.count > 1 ? " before anything is done" : ""
        case .answer: fault.places.count > 1 ? " when all is done" : ""
        case .received: " after \(count) of a body"
        case .sent: " after \(count) of an object"
        }
    }
}

extension FaultRoute {
    fileprivate var clauses: [String] {
        [
            frontEnd.map { "by \($0.rawValue)" }, method.map { "\($0) alone" },
            path.map { "at \($0)" }, user.map { "for \($0)" },
            client.map { "from \($0)" }, connection.map { "on connection \($0)" },
        ].compactMap { $0 }
    }
}

extension FaultOccasion {
    fileprivate var clauses: [String] {
        var clauses: [String] = []
        if period > 1 {
            let start = first == period ? "" : " from request \(first) on"
            clauses.append("every \(period) requests\(start)")
        } else if first == last {
            clauses.append("request \(first)")
        } else if last < .max {
            clauses.append("requests \(first) to \(last)")
        } else if first > 1 {
            clauses.append("from request \(first) on")
        }
        if chance != .always { clauses.append("with a chance of \(chance)") }
        if times < .max { clauses.append(times == 1 ? "once" : "\(times) times at most") }
        return clauses
    }
}
