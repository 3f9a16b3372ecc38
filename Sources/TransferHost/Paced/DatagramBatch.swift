import Glibc

/// Room for datagrams that are to leave.
package protocol DatagramRoom: AnyObject {
    /// Room for one more datagram; `nil` if there is none.
    func space(of count: Int) -> UnsafeMutableRawBufferPointer?

    /// Adds the datagram that was written to the space.
    func add(_ count: Int)
}

/// Datagrams to one peer that leave by few calls: the system cuts a long message into datagrams of
/// the same length.
package final class DatagramBatch: DatagramRoom {
    /// To whom they go; `nil` if the socket has a peer.
    package let peer: SocketAddress?
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    private let slots = MessageSlots(count: mostPieces)
    private var used = 0
    private var messages: [Message] = []
    /// How many messages have left.
    private var sent = 0
    /// Whether the system cuts messages.
    private var isCut = true

    /// Datagrams of the same length one after the other; the last may be shorter.
    fileprivate struct Message {
        var start: Int
        var length: Int
        var piece: Int
    }

    private static let size = 256 << 10
    /// The longest message of UDP, and the most datagrams in one.
    fileprivate static let longestMessage = 65_000
    fileprivate static let mostPieces = 64

    package init(to peer: SocketAddress? = nil) { self.peer = peer }

    deinit { buffer.deallocate() }

    package var isEmpty: Bool { sent == messages.count }

    package func space(of count: Int) -> UnsafeMutableRawBufferPointer? {
        guard used + count <= buffer.count else { return nil }
        return UnsafeMutableRawBufferPointer(rebasing: buffer[used..<used + count])
    }

    package func add(_ count: Int) {
        let last = messages.count - 1
        if last >= sent, messages[last].mayGrow(by: count) {
            messages[last].length += count
        } else {
            messages.append(Message(start: used, length: count, piece: count))
        }
        used += count
    }

    /// Sends what it can, by a socket.
    func send(by socket: Int32) -> DatagramSocket.Sent {
        while !isEmpty {
            guard isCut ? sendMessages(by: socket) : sendPieces(by: socket) else {
                switch errno {
                case EAGAIN: return .full
                case ECONNREFUSED:
                    empty()
                    return .refused
                case EIO where isCut, EINVAL where isCut, EOPNOTSUPP where isCut: isCut = false
                // It is lost, as on any path.
                default: sent += 1
                }
                continue
            }
        }
        empty()
        return .all
    }

    /// Drops what has not left.
    package func empty() {
        used = 0
        sent = 0
        messages.removeAll(keepingCapacity: true)
    }

    private func bytes(_ start: Int, _ count: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: buffer[start..<start + count])
    }

    /// Sends as many messages as it can; returns whether any was sent.
    private func sendMessages(by socket: Int32) -> Bool {
        let count = min(messages.count - sent, slots.count)
        for slot in 0..<count {
            let message = messages[sent + slot]
            slots.prepare(
                slot, bytes(message.start, message.length),
                piece: message.length > message.piece ? UInt16(message.piece) : nil, to: peer)
        }
        let done = slots.send(count, by: socket)
        sent += max(done, 0)
        return done > 0
    }

    /// Sends the datagrams of the next message one by one; returns whether any was sent.
    private func sendPieces(by socket: Int32) -> Bool {
        let message = messages[sent]
        let count = (message.length + message.piece - 1) / message.piece
        for slot in 0..<count {
            let start = slot * message.piece
            let length = min(message.piece, message.length - start)
            slots.prepare(slot, bytes(message.start + start, length), piece: nil, to: peer)
        }
        let done = slots.send(count, by: socket)
        guard done > 0 else { return false }
        if done == count {
            sent += 1
        } else {
            messages[sent].start += done * message.piece
            messages[sent].length -= done * message.piece
        }
        return true
    }
}

extension DatagramBatch.Message {
    /// Whether a datagram of so many bytes may follow.
    fileprivate func mayGrow(by count: Int) -> Bool {
        length.isMultiple(of: piece) && count <= piece
            && length + count <= DatagramBatch.longestMessage
            && length / piece < DatagramBatch.mostPieces
    }
}
