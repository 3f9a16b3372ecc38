import Content
import Quantities
import Testing

@testable import TransferClient
@testable import TransferEngine

/// The secrets of an app, and what comes of the answers to its requests for tokens.
@Suite struct WalletTests {
    private let wallet = Wallet()
    private let handle = CredentialHandle("studio")
    private let connection = ConnectionID(7)

    private func state(_ version: UInt32, _ length: Int, _ renewal: Int? = nil) -> CredentialState {
        CredentialState(
            version: version, length: ByteCount(UInt64(length)),
            renewal: renewal.map { ByteCount(UInt64($0)) })
    }

    private func sent(_ version: UInt32?, _ length: Int) -> String {
        let use = CredentialUse(
            handle: handle, version: version, length: ByteCount(UInt64(length)))
        guard case .bytes(let bytes) = wallet.filled([.credential(use)]).first else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func answer(_ body: String, _ status: String = "200 OK") -> [Segment] {
        [
            .bytes(
                Array(
                    "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
        ]
    }

    @Test func `a password is sent as RFC 7617 says, and its length is known`() {
        let news = wallet.keep(.password(user: "Aladdin", "open sesame"), as: handle)
        #expect(news == .known(state(1, 34)))
        #expect(sent(1, 34) == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    }

    @Test func `the same password again is another version`() {
        wallet.keep(.password(user: "ada", "engine"), as: handle)
        #expect(wallet.keep(.password(user: "ada", "engine"), as: handle) == .known(state(2, 22)))
    }

    @Test func `a token is asked for with the password, and sent afterwards`() throws {
        #expect(
            wallet.keep(.tokens(user: "ada", password: "engine"), as: handle)
                == .known(state(0, 0, 22)))
        #expect(sent(nil, 22) == "Basic YWRhOmVuZ2luZQ==")
        wallet.awaitsToken(on: connection, for: handle)
        #expect(wallet.readsToken(on: connection) && !wallet.readsToken(on: ConnectionID(8)))
        let news = wallet.receive(answer(#"{"access_token":"t1","expires_in":60}"#), on: connection)
        #expect(news?.handle == handle && news?.news == .renewed(state(1, 9, 22), status: 200))
        #expect(sent(1, 9) == "Bearer t1")
        #expect(!wallet.readsToken(on: connection))
    }

    @Test func `an answer is read as it comes, and not before its end`() {
        wallet.keep(.tokens(user: "ada", password: "engine"), as: handle)
        wallet.awaitsToken(on: connection, for: handle)
        guard case .bytes(let bytes) = answer(#"{"access_token":"t1"}"#)[0] else { return }
        for byte in bytes.dropLast() {
            #expect(wallet.receive([.bytes([byte])], on: connection) == nil)
        }
        #expect(wallet.receive([.bytes([bytes.last ?? 0])], on: connection) != nil)
    }

    @Test(arguments: [
        (#"{"access_token":"t1"}"#, "401 Unauthorized", 401),
        (#"{"token":"t1"}"#, "200 OK", 200), ("no JSON", "200 OK", 200),
        (#"{"access_token":""}"#, "200 OK", 200),
        (#"{"access_token":"a b"}"#, "200 OK", 200),
        (#"{"access_token":"a\r\nHost: other"}"#, "200 OK", 200),
    ])
    func `an answer without a good token brings none`(body: String, line: String, status: Int) {
        wallet.keep(.tokens(user: "ada", password: "engine"), as: handle)
        wallet.awaitsToken(on: connection, for: handle)
        #expect(
            wallet.receive(answer(body, line), on: connection)?.news
                == .notRenewed(status: status))
    }

    @Test func `what is no HTTP brings no token`() {
        wallet.keep(.tokens(user: "ada", password: "engine"), as: handle)
        wallet.awaitsToken(on: connection, for: handle)
        let news = wallet.receive([.bytes(Array("nonsense\r\n\r\n".utf8))], on: connection)?.news
        #expect(news == .notRenewed(status: 0))
    }

    @Test func `a rejected token is forgotten, and a password is not`() {
        wallet.keep(.token("t0"), as: handle)
        wallet.forget(CredentialUse(handle: handle, version: 9, length: .zero))
        #expect(wallet.states.map(\.state) == [state(1, 9)])
        wallet.forget(CredentialUse(handle: handle, version: 1, length: .zero))
        #expect(wallet.states.map(\.state) == [state(0, 0)])
        wallet.keep(.password(user: "ada", "engine"), as: handle)
        wallet.forget(CredentialUse(handle: handle, version: 2, length: .zero))
        #expect(wallet.states.map(\.state) == [state(2, 22)])
    }

    @Test func `a secret that has changed meanwhile is sent no longer than was said`() {
        wallet.keep(.token("a-long-token"), as: handle)
        #expect(sent(1, 9).utf8.count == 9)
        wallet.keep(.token("t"), as: handle)
        #expect(sent(1, 12).utf8.count == 12)
    }

    @Test func `a keychain gives the next launch all of it, with the versions`() throws {
        wallet.keep(.password(user: "ada", "engine"), as: handle)
        wallet.keep(.token("t0"), as: CredentialHandle("other"))
        let edition = wallet.edition
        let next = Wallet()
        next.restore(wallet.kept)
        #expect(next.states.map(\.handle.name) == ["other", "studio"])
        #expect(next.states.map(\.state) == wallet.states.map(\.state))
        #expect(edition == 2 && next.edition == 0)
    }

    @Test(arguments: [
        Secret.password(user: "ada", "hush"), .token("hush"),
        .tokens(user: "ada", password: "hush"),
    ])
    func `a secret shows nothing of itself`(secret: Secret) {
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), String(describing: [secret]), dumped]
        {
            #expect(!text.contains("hush"), "\(text)")
        }
    }
}
