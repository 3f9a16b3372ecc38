extension String {
    /// The path as one word of a POSIX shell that no program takes for an option.
    var shellWord: String { hasPrefix("-") ? "./\(self)".shellQuoted : shellQuoted }

    /// One word of a POSIX shell.
    package var shellQuoted: String {
        let isPlain = unicodeScalars.allSatisfy {
            $0.isASCII && $0.properties.isAlphabetic
                || "0123456789/.-_".unicodeScalars.contains($0)
        }
        return isPlain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}
