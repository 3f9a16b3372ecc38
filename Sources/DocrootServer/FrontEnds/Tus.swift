import Protocols
import Quantities

/// `/tus`: resumable uploads by tus 1.0.
extension DocrootServer {
    mutating func beginTus(
        _ head: HTTPRequestHead, _ target: RequestTarget, on id: ServerConnectionID,
        into outputs: inout [ServerOutput]
    ) throws(HTTPError) {
        switch try TusRequest(parsing: head, collection: Self.collection) {
        case .create(_, let name, let length):
            let object = try ObjectPath(name)
            let upload = makeUpload(
                of: object, length: length, by: .tus, isResumable: true, into: &outputs)
            awaitCreation(of: upload, on: id)
        case .offset(let resource):
            tellOffset(of: try upload(at: resource, of: .tus).id, on: id, into: &outputs)
        case .append(let resource, let offset, let length):
            try beginAppend(
                to: try upload(at: resource, of: .tus).id, at: offset, length, on: id,
                into: &outputs)
        }
    }

    func tusAnswer(to question: UploadQuestion, of upload: Upload) -> Answer {
        let response: TusResponse =
            switch question {
            case .creation: .created(resource: upload.resource)
            case .offset: .offset(upload.staged, length: upload.record.length ?? .zero)
            case .append: .appended(upload.staged)
            }
        return Answer(response.head, body: response.body)
    }

    static func tusRefusal(_ error: HTTPError) -> Answer {
        let response = TusResponse.refused(status: error.status, reason: error.reason)
        return Answer(response.head, body: response.body)
    }
}
