import CYAML

/// libyaml's events, one at a time. Only this file touches its pointers.
struct YAMLEventStream: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// libyaml reads from this memory until the end, and makes no copy.
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let file: Int

    init(_ text: String, file: Int) {
        self.file = file
        let utf8 = Array(text.utf8)
        parser = .allocate(capacity: 1)
        bytes = .allocate(capacity: utf8.count)
        _ = bytes.initialize(from: utf8)
        let ready = yaml_parser_initialize(parser)
        precondition(ready == 1, "no memory for a YAML parser")
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, UnsafePointer(bytes.baseAddress), bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        bytes.deallocate()
    }

    mutating func next() throws(YAMLSyntaxError) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw syntaxError() }
        defer { yaml_event_delete(&event) }
        return YAMLEvent(place: Place(event.start_mark, file), kind: kind(of: event))
    }

    private func kind(of event: yaml_event_t) -> YAMLEvent.Kind {
        let data = event.data
        switch event.type {
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        case YAML_STREAM_END_EVENT: return .streamEnd
        case YAML_ALIAS_EVENT: return .alias(text(data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let value = UnsafeBufferPointer(start: data.scalar.value, count: data.scalar.length)
            return .scalar(
                String(decoding: value, as: UTF8.self), style(data.scalar.style),
                YAMLEvent.Mark(
                    anchor: text(data.scalar.anchor), tag: text(data.scalar.tag)))
        case YAML_SEQUENCE_START_EVENT:
            return .sequenceStart(
                YAMLEvent.Mark(
                    anchor: text(data.sequence_start.anchor), tag: text(data.sequence_start.tag)))
        case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            return .mappingStart(
                YAMLEvent.Mark(
                    anchor: text(data.mapping_start.anchor), tag: text(data.mapping_start.tag)))
        case YAML_MAPPING_END_EVENT: return .mappingEnd
        default: return .streamStart
        }
    }

    private func style(_ style: yaml_scalar_style_t) -> YAMLNode.Style {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE, YAML_DOUBLE_QUOTED_SCALAR_STYLE: .quoted
        case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
        default: .plain
        }
    }

    private func text(_ pointer: UnsafeMutablePointer<UInt8>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    private func syntaxError() -> YAMLSyntaxError {
        YAMLSyntaxError(
            problem: parser.pointee.problem.map { String(cString: $0) } ?? "not YAML",
            at: Place(parser.pointee.problem_mark, file),
            context: parser.pointee.context.map { String(cString: $0) },
            begunAt: Place(parser.pointee.context_mark, file),
            isAfterDollar: isAfterDollar(parser.pointee.problem_mark))
    }

    /// libyaml's index counts characters, not bytes.
    private func isAfterDollar(_ mark: yaml_mark_t) -> Bool {
        let before = String(decoding: bytes, as: UTF8.self).unicodeScalars.prefix(Int(mark.index))
        return before.last == "$"
    }
}

/// A step through a YAML document.
struct YAMLEvent {
    var place: Place
    var kind: Kind

    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case alias(String)
        case scalar(String, YAMLNode.Style, Mark)
        case sequenceStart(Mark), sequenceEnd
        case mappingStart(Mark), mappingEnd
    }

    /// Marks before a node that YAML allows and this language does not use.
    struct Mark {
        var anchor: String?
        var tag: String?
    }
}

extension Place {
    /// libyaml counts from 0.
    fileprivate init(_ mark: yaml_mark_t, _ file: Int) {
        self.init(line: mark.line + 1, column: mark.column + 1)
        self.file = file
    }
}
