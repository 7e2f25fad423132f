public import FolioDomain
internal import FolioJSON
internal import LMDB

/// A place in a list of documents: where a row stands in its order.
public struct DocumentCursor: Hashable, Sendable {
  enum Place: Hashable {
    /// In a list ordered by time.
    case time(Timestamp)
    /// In an index: its values, as its keys have them.
    case key([UInt8])
  }

  var place: Place
  var id: DocumentID

  init(_ place: Place, id: DocumentID) {
    self.place = place
    self.id = id
  }

  /// The place of a document in a list of that order, over all types or of the document's own.
  public init(_ document: Document, order: DocumentQuery.Order) {
    switch order {
    case .created: self.init(.time(document.createdAt), id: document.key.id)
    case .updated: self.init(.time(document.updatedAt), id: document.key.id)
    case .title: self.init(document, in: .recordsByTitle)
    }
  }

  init(_ document: Document, in index: IndexRecord) {
    let bytes = index.key(of: document).bytes
    let head = index.prefix(isDeleted: document.isDeleted).byteCount
    self.init(.key(Array(bytes[head..<bytes.count - 16])), id: document.key.id)
  }

  /// The place that a key of an index stands for, whose values begin after `head` bytes.
  init(indexed bytes: [UInt8], after head: Int) throws {
    guard bytes.count >= head + 16 else {
      throw StoreError.unreadableRecord(space: "domain.documents.indexed")
    }
    let id = bytes.suffix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    self.init(.key(Array(bytes[head..<bytes.count - 16])), id: DocumentID(id))
  }

  /// A place as `text` tells it.
  ///
  /// - Throws: ``StoreError/badListCursor``.
  public init(_ text: String) throws {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let id = try? DocumentID(String(parts[1])) else {
      throw StoreError.badListCursor
    }
    if parts[0].hasPrefix("k") {
      guard let key = Self.bytes(parts[0].dropFirst().utf8), key.count <= Self.keyByteCountMax
      else { throw StoreError.badListCursor }
      self.init(.key(key), id: id)
      return
    }
    guard let time = Int64(parts[0]) else { throw StoreError.badListCursor }
    self.init(.time(Timestamp(milliseconds: time)), id: id)
  }

  /// The place as text, to be given back unchanged.
  public var text: String {
    switch place {
    case .time(let time): "\(time.milliseconds).\(id.text)"
    case .key(let key): "k\(Self.text(key)).\(id.text)"
    }
  }

  /// What the values of an index take at most, beside its number and the document's id.
  private static let keyByteCountMax = Environment.keyByteCountMax - 24

  private static func text(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static func bytes(_ text: Substring.UTF8View) -> [UInt8]? {
    let digits = text.map { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
      default: nil
      }
    }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[place], let low = digits[place + 1] else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// The place in a list of titles, as the index that the list walks has it.
  func inTitles(ofType type: String?, _ index: IndexRecord) -> DocumentCursor {
    guard let type, case .key(let title) = place else { return self }
    var key = KeyBuilder()
    index.append(.string(type), for: .field(RecordRule.type), to: &key)
    return DocumentCursor(.key(key.bytes + title), id: id)
  }
}

extension DocumentCursor: Comparable {
  /// As a list has them: by time or by the values of the index, then by id.
  public static func < (a: DocumentCursor, b: DocumentCursor) -> Bool {
    switch (a.place, b.place) {
    case (.time(let x), .time(let y)): x == y ? a.id.value < b.id.value : x < y
    case (.key(let x), .key(let y)):
      x == y ? a.id.value < b.id.value : x.lexicographicallyPrecedes(y)
    case (.time, .key): true
    case (.key, .time): false
    }
  }
}
