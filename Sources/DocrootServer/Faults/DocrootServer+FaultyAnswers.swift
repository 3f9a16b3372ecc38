import Protocols
import Quantities

/// Faults of answers that are ready.
extension DocrootServer {
    /// Applies the script to an answer; false if nothing is to be sent for now.
    mutating func spoil(_ answer: inout ReadyAnswer, on id: ServerConnectionID) -> Bool {
        while let index = faults.next(at: .answer, on: id) {
            let words = "the answer \(answer.head.status)"
            switch faults.rules[index].rule.fault {
            case .answer(let status, let retryAfter):
                tell(index, "\(words) becomes \(status)", on: id)
                closeBody(of: answer)
                refuse(failure(status, retryAfter), on: id)
                return false
            // A refused request has changed nothing.
            case .loseAnswer where answer.head.status >= 400: break
            case .reset, .close, .loseAnswer:
                closeBody(of: answer)
                cut(id, by: index, "instead of \(words)")
                return false
            case .restart:
                restart(by: index, on: id)
                return false
            case .losePower:
                guard losePower(by: index, on: id) else { return false }
            case .stall(let time):
                tell(index, "\(words) waits", on: id)
                pause(id, by: index, for: time)
                exchanges[id]?.state = .withheld(answer)
                return false
            case .repeatAnswer:
                tell(index, "\(words) is said twice", on: id)
                faults.requests[id]?.defects.isRepeated = true
            case .sendInChunks:
                guard case .object = answer.content,
                    answer.head.fields["Transfer-Encoding"] == nil
                else { break }
                tell(index, "\(words) comes in chunks", on: id)
                answer.head.fields.remove("Content-Length")
                answer.head.fields.add("Transfer-Encoding", "chunked")
                faults.requests[id]?.defects.isInChunks = true
            case .malformed(let kind):
                tell(index, "\(words) has \(kind.rawValue)", on: id)
                faults.requests[id]?.defects.malformation = kind
            case .sendWrongContentRange:
                guard let field = answer.head.fields["Content-Range"] else { break }
                let wrong = Self.contentRange(beside: field)
                tell(index, "\(words) says \(wrong), not \(field)", on: id)
                answer.head.fields.replace("Content-Range", by: wrong)
            case .sendAnotherTag:
                guard let tag = answer.head.fields["ETag"] else { break }
                let other = "\"\(tag.dropFirst().dropLast())-changed\""
                tell(index, "\(words) says \(other), not \(tag)", on: id)
                answer.head.fields.replace("ETag", by: other)
            case .sendField(let name, nil):
                guard let value = answer.head.fields[name] else { break }
                tell(index, "\(words) does not say that its \(name) is \(value)", on: id)
                answer.head.fields.remove(name)
            case .sendField(let name, let value?):
                tell(index, "\(words) says \(name): \(value)", on: id)
                answer.head.fields.remove(name)
                answer.head.fields.add(name, value)
            case .slow, .ignore, .sendAnotherRange, .keepLock, .expireToken, .fillDisk, .quota,
                .clock:
                preconditionFailure("\(faults.rules[index].rule) is no rule about answers")
            }
        }
        return true
    }

    /// Raises every number in a field by one.
    private static func contentRange(beside field: String) -> String {
        let words = field.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return field }
        var result = ""
        var number = ""
        for character in words[1] + " " {
            if character.isWholeNumber {
                number.append(character)
            } else {
                result += UInt64(number).map { "\($0 + 1)" } ?? number
                result.append(character)
                number = ""
            }
        }
        return "\(words[0]) \(result.dropLast())"
    }

    mutating func closeBody(of answer: ReadyAnswer) {
        if case .object(let download, _) = answer.content {
            outputs.append(.closeBody(download.body))
        }
    }
}
