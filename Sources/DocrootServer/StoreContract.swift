package import Protocols
package import Quantities

/// The ticket of a request to the store, which answers each exactly once.
package struct StoreTicket: Hashable, Sendable {
    let number: UInt64
}

/// An object that was opened for reading. Its content stays the same, whatever is published under
/// its name.
package struct BodyID: Hashable, Sendable {
    let number: UInt64
}

/// A request of the server to the store, besides uploads.
package enum StoreRequest: Hashable, Sendable {
    /// The entry at a path.
    case look(ObjectPath)
    /// The entry at a path, and the members of a folder.
    case list(ObjectPath)
    /// Opens an object, which stays readable under this name until it is closed.
    case open(ObjectPath, BodyID)
    case makeFolder(ObjectPath)
    /// Removes an object, or a folder with all its content.
    case remove(ObjectPath)
    /// Copies an entry, with its content if `isDeep`. An existing destination is replaced.
    case copy(ObjectPath, to: ObjectPath, isDeep: Bool)
    case move(ObjectPath, to: ObjectPath)
    /// Replaces all properties that clients have set.
    case setProperties(ObjectPath, [StoredProperty])
    /// The total size of the objects under a path.
    case measure(ObjectPath)
    /// The entry at a path, with a digest of the whole object.
    case digest(ObjectPath)
}

package enum StoreAnswer: Hashable, Sendable {
    case found(StoredEntry?, Surroundings)
    /// Members are ordered by name.
    case listed(StoredEntry, [StoredEntry])
    case opened(StoredEntry)
    case measured(ByteCount)
    case digested(StoredEntry, ReprDigest)
    case done
    case failed(StoreFailure)
}

/// Whether the folder for a new name exists.
package enum Surroundings: Hashable, Sendable {
    case folderStands
    case folderMissing
}

/// An object or folder of the store.
package struct StoredEntry: Hashable, Sendable {
    /// The name in its folder; empty for the docroot.
    package var name: String
    package var isFolder: Bool
    package var size: ByteCount
    /// A counter that is different for any two bodies.
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

/// Why the store failed.
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

    /// The status for the client.
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
