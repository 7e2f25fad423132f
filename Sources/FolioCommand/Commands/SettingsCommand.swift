import FolioArguments
import FolioJSON
import FolioStore

extension Command {
  static let settings = Command(
    "settings", "Show and change how values and times are shown",
    details: Settings.Name.allCases.map { "\($0.rawValue): \($0.summary)" }
      .joined(separator: "\n"),
    [
      Command(
        "get", "Show a setting, or all of them",
        arguments: [Argument("NAME", "currency, zone or digits", isOptional: true)],
        session: { session in try session.getSettings() }),
      Command(
        "set", "Change a setting; without a value, what holds without it holds again",
        arguments: [
          Argument("NAME", "currency, zone or digits"),
          Argument("VALUE", "Like EUR, Europe/Berlin or 2", isOptional: true),
        ],
        session: { session in try session.setSetting() }),
    ])
}

extension Session {
  fileprivate func getSettings() throws {
    let named = try invocation.argument("NAME").map { try Settings.Name($0) }
    let names = named.map { [$0] } ?? Settings.Name.allCases
    let values = try read { state in
      try names.map { try state.setting($0.rawValue).map { String(decoding: $0, as: UTF8.self) } }
    }
    var table = TextTable([.left("setting"), .left("value")])
    for (name, value) in zip(names, values) { table.add([name.rawValue, value ?? "not set"]) }
    try console.say(
      rows: zip(names, values).map { .setting($0, $1) },
      text: named == nil ? table.text : (values.first ?? nil) ?? "not set\n")
  }

  fileprivate func setSetting() throws {
    let name = try Settings.Name(try invocation.required("NAME"))
    let value = try invocation.argument("VALUE").map { try Settings.checked($0, for: name) }
    try withStore { store in
      try store.write { try $0.setSetting(name.rawValue, to: value.map { Array($0.utf8) }) }
    }
    try console.say(.setting(name, value), text: "\(name.rawValue)  \(value ?? "not set")")
  }
}

extension JSONValue {
  fileprivate static func setting(_ name: Settings.Name, _ value: String?) -> JSONValue {
    row(["name": .string(name.rawValue), "value": text(value)])
  }
}
