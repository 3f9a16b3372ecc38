package import Protocols
package import Quantities

/// A question or an order to the store, which answers every one of them once.
package struct StoreTicket: Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
}

/// An object that was opened for reading: it stays the body that it was, whatever is published
/// under its name meanwhile.
package struct BodyID: Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
}

/// What the server asks of the store, besides taking uploads.
package enum StoreRequest: Hashable, Sendable {
    /// What stands there?
    case look(ObjectPath)
    /// What stands there, and in it if it is a folder?
    case list(ObjectPath)
    /// What stands there, and keep it readable under this name until it is closed.
    case open(ObjectPath, BodyID)
    case makeFolder(ObjectPath)
    /// An object, or a folder with all that is in it.
    case remove(ObjectPath)
    /// With what is in it, if `isDeep`; what stands at the destination is replaced.
    case copy(ObjectPath, to: ObjectPath, isDeep: Bool)
    case move(ObjectPath, to: ObjectPath)
    /// Replaces all properties that clients have set.
    case setProperties(ObjectPath, [StoredProperty])
    /// How many bytes the objects under it have.
    case measure(ObjectPath)
    /// What stands there, and a digest of all that the object holds.
    case digest(ObjectPath)
}

package enum StoreAnswer: Hashable, Sendable {
    case found(StoredEntry?, Surroundings)
    /// In the order of their names.
    case listed(StoredEntry, [StoredEntry])
    case opened(StoredEntry)
    case measured(ByteCount)
    case digested(StoredEntry, ReprDigest)
    case done
    case failed(StoreFailure)
}

/// What a name that is to be taken needs around it.
package enum Surroundings: Hashable, Sendable {
    case folderStands
    case folderMissing
}

/// An object or a folder, as the store has it.
package struct StoredEntry: Hashable, Sendable {
    /// Its own name in its folder; empty for the docroot itself.
    package var name: String
    package var isFolder: Bool
    package var size: ByteCount
    /// A counter that never shows the same number for two bodies, whatever happens in between.
    package var version: UInt64
    /// Seconds since 1970.
    package var modified: UInt64
    package var properties: [StoredProperty]

    package init(
        name: String, isFolder: Bool, size: ByteCount, version: UInt64, modified: UInt64,
        properties: [StoredProperty] = []
    ) {
        self.name = name
        self.isFolder = isFolder
        self.size = size
        self.version = version
        self.modified = modified
        self.properties = properties
    }

    var tag: EntityTag { EntityTag("v\(version)") }
}

/// A property that a client has set (RFC 4918 §4): its name, and the markup of its element.
package struct StoredProperty: Hashable, Sendable {
    package var name: XMLName
    package var markup: String

    package init(name: XMLName, markup: String) {
        self.name = name
        self.markup = markup
    }
}

/// Why the store could not do what it was asked.
package struct StoreFailure: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case missing, folderInTheWay, conflict, noSpace, forbidden, broken
    }

    package var kind: Kind
    package var reason: String

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// What the client hears.
    var status: Int {
        switch kind {
        case .missing: 404
        case .folderInTheWay: 405
        case .conflict: 409
        case .noSpace: 507
        case .forbidden: 403
        case .broken: 500
        }
    }
}
