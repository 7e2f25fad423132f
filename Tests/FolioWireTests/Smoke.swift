import FolioDomain
import FolioWire
import Testing

@Test func smoke() throws {
  let lines = [
    #"{"capabilities":[],"client":{"name":"x","version":"1"},"id":1,"nonce":"0123456789abcdef0123456789abcdef","type":"hello","versions":[1]}"#,
    #"{"entries":[{"acceptedAt":1,"body":{"a":[0.5]},"device":"0123456789abcdef0123456789abcdef","form":"plain","id":"0123456789abcdef0123456789abcdef","kind":"accepted","recordedAt":-5,"seq":1,"sequence":1}],"last":{"hash":"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef","seq":1},"more":false,"re":3,"type":"page"}"#,
    #"{"re":1,"type":"pong"}"#, #"{"type":"bye"}"#,
  ]
  for line in lines {
    let message = try Message(line: Array(line.utf8))
    #expect(String(decoding: message.line, as: UTF8.self) == line + "\n")
  }
}
