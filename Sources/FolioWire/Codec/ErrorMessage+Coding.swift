import FolioJSON

extension ErrorMessage {
  /// The most bytes of the message for people.
  static let messageByteLimit = 500

  private enum Member: String, CaseIterable {
    case action, `class`, code, limit, message, offset, re, retryAfter, supported, type
  }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader, _ re: inout RequestID?) throws(JSONError) {
    var action: String?
    var code: String?
    var errorClass: String?
    var limit: Int64?
    var message: String?
    var offset: Int64?
    var retryAfter: UInt64?
    var supported: [Int]?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .action: action = try reader.readCode()
      case .class: errorClass = try reader.readCode()
      case .code: code = try reader.readCode()
      case .limit: limit = try reader.readInteger()
      case .message: message = try reader.readNote(limit: Self.messageByteLimit)
      case .offset: offset = try reader.readInteger()
      case .re: re = try reader.readRequestID()
      case .retryAfter: retryAfter = try reader.readUnsigned()
      case .supported: supported = try reader.readVersions()
      case .type: try reader.skipValue()
      }
    }
    self.init(
      code: try reader.required(code), class: ErrorClass(text: try reader.required(errorClass)),
      action: ErrorAction(text: try reader.required(action)),
      message: try reader.required(message), retryAfter: retryAfter.map { Int64($0) },
      supported: supported, limit: limit, offset: offset)
  }

  func write(_ writer: inout JSONWriter, _ re: RequestID?) {
    writer.member("action", action.text)
    writer.member("class", errorClass.text)
    writer.member("code", code)
    writer.integerMember("limit", limit)
    writer.member("message", Self.clipped(message))
    writer.integerMember("offset", offset)
    if let re { writer.member("re", re) }
    writer.integerMember("retryAfter", retryAfter)
    if let supported { writer.versions("supported", supported) }
    writer.type(.error)
  }

  /// As many whole characters of `text` as fit.
  private static func clipped(_ text: String) -> String {
    guard text.utf8.count > messageByteLimit else { return text }
    var count = 0
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      count += UTF8.width(scalar)
      if count > messageByteLimit { break }
      scalars.append(scalar)
    }
    return String(scalars)
  }
}

extension JSONWriter {
  fileprivate mutating func integerMember(_ name: StaticString, _ value: Int64?) {
    guard let value else { return }
    self.name(name)
    integer(value)
  }
}
