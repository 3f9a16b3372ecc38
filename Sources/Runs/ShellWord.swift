extension String {
    /// The path as one word of a POSIX shell, which no program takes for an option.
    var shellWord: String { hasPrefix("-") ? "./\(self)".shellQuoted : shellQuoted }

    /// One word of a POSIX shell.
    var shellQuoted: String {
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
                UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isPlain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}
