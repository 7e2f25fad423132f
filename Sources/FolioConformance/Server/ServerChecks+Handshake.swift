import FolioDomain
import FolioWire

extension ServerCheck {
  /// The handshake, and versions.
  static let handshake = [
    ServerCheck("hello comes first", "hand-1") { server in
      for request in [Request.auth(server.authentication(server.ids.device())), .ping] {
        let dialogue = try server.connect()
        try dialogue.send(request)
        try dialogue.expectEnd("hello_expected")
      }
      let unknown = try server.connect()
      try unknown.send(#"{"id":1,"type":"x.sing"}"#)
      try unknown.expectEnd("hello_expected")
    },
    ServerCheck("auth comes second", "hand-1", "conv-5") { server in
      for request in [Request.hello(server.hello()), .ping, .verify(seq: 0)] {
        let dialogue = try server.connect()
        _ = try dialogue.ask(.hello(server.hello()))
        try dialogue.send(request)
        try dialogue.expectEnd("auth_expected")
      }
    },
    ServerCheck("any fault before the handshake is done ends it", "conv-8", "hand-1") { server in
      let dialogue = try server.connect()
      let start = #"{"capabilities":[],"client":{"name":"x","version":"1"},"id":1,"nonce":"#
      try dialogue.send(start + #""0","type":"hello","versions":[1]}"#)
      try dialogue.expectEnd("bad_value", at: start.utf8.count)
    },
    ServerCheck("the highest version of both is spoken", "hand-2", "ver-1") { server in
      for versions in [[1], [2, 1], [1, 2, 3], [9_007_199_254_740_991, 1]] {
        let dialogue = try server.connect()
        guard case .welcome(let welcome) = try dialogue.ask(.hello(server.hello(versions))) else {
          return
        }
        // A newer server may speak what else was offered.
        try expect(
          versions.contains(welcome.version), "\(versions) came to \(welcome.version)")
      }
    },
    ServerCheck("no version in common is told with those there are", "hand-2", "conv-12") {
      server in
      let dialogue = try server.connect()
      let id = try dialogue.send(.hello(server.hello([9_007_199_254_740_991])))
      guard case .failure(let error) = try dialogue.answer(to: id) else {
        throw CheckFailure("a version that there is not was agreed on")
      }
      try expect(error.code, is: "version_unsupported", "the code")
      try expect(error.errorClass, is: .fatal, "the class")
      try expect(error.action, is: .upgrade, "the action")
      try expect(error.supported?.contains(1) == true, "`supported` does not have 1")
      try dialogue.expectEnd()
    },
    ServerCheck("unknown capabilities and members are passed over", "hand-4", "hand-5", "ver-2") {
      server in
      let dialogue = try server.connect()
      let id = dialogue.nextID()
      try dialogue.send(
        #"{"capabilities":["x.later"],"client":{"name":"x","version":"1","z":[]},"id":\#(id.value),"#
          + #""later":{"a":[1]},"nonce":"0123456789abcdef0123456789abcdef","type":"hello","#
          + #""versions":[1]}"#)
      guard case .success(.welcome(let welcome)) = try dialogue.answer(to: id) else {
        throw CheckFailure("a hello with unknown members was refused")
      }
      try expect(!welcome.capabilities.contains("x.later"), "an unknown capability was taken up")
    },
    ServerCheck("a nonce is new for each connection", "hand-5") { server in
      let nonces = try [server.logIn(), server.logIn()].map(\.welcome.nonce)
      try expect(nonces[0] != nonces[1], "two connections got one nonce")
    },
    ServerCheck("an account that there is not", "hand-7") { server in
      let dialogue = try server.connect()
      _ = try dialogue.ask(.hello(server.hello()))
      let other = server.authentication(server.ids.device(), account: "no-such-account-here")
      let id = try dialogue.send(.auth(other))
      guard case .failure(let error) = try dialogue.answer(to: id) else {
        throw CheckFailure("any account is let in")
      }
      try expect(error.errorClass, is: .auth, "the class of \(error.code)")
      try dialogue.expectEnd()
    },
    ServerCheck("ready states facts", "hand-7", "sync-2") { server in
      let first = try server.logIn()
      try expect(first.ready.acked == nil, "a new device has been acknowledged")
      try expect(first.ready.common == nil, "a place is in common, and none was named")
      let ack = try first.push(.plain(first.device, 1, server.ids.transaction()))
      let unknown = LogPosition(seq: ack.head.seq, hash: Hash256.zero)
      let again = try server.logIn(
        first.device, points: [LogPosition(seq: ack.head.seq + 9, hash: .zero), unknown, ack.head])
      try expect(again.ready.common, is: ack.head, "the newest place in common")
      try expect(again.ready.acked?.sequence, is: 1, "the sequence acknowledged")
    },
  ]
}
