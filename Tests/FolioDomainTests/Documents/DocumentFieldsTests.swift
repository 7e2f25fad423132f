import FolioDomain
import FolioJSON
import TestSupport
import Testing

@Suite("Fields of a document")
struct DocumentFieldsTests {
  private func path(_ random: inout SeededRandom) -> FieldPath {
    // Two normal forms of one text among them, which are two names.
    let names = ["a", "b", "e\u{301}", "\u{e9}", "metadata", "z"].map(FieldName.init(unchecked:))
    let name = names[Int(random.next() % 6)]
    guard name == .metadata else { return FieldPath(name) }
    return FieldPath(name, member: names[Int(random.next() % 4)])
  }

  @Test("They are what a table of them would be, in order", arguments: 0..<40)
  func likeATable(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var fields = DocumentFields()
    var table: [FieldPath: JSONValue] = [:]
    for number in 0..<30 {
      let count = Int(random.next() % 5)
      if random.next() % 3 == 0 {
        let paths = (0..<count).map { _ in path(&random) }
        fields.unset(paths)
        for path in paths { table[path] = nil }
      } else {
        let added = (0..<count).map { place in
          DocumentField(path(&random), .integer(Int64(10 * number + place)))
        }
        fields.set(added)
        for field in added { table[field.path] = field.value }
      }
      let expected = table.map { DocumentField($0.key, $0.value) }.sorted { $0.path < $1.path }
      #expect(Array(fields) == expected)
      #expect(fields == DocumentFields(expected.reversed()))
      let asked = path(&random)
      #expect(fields[asked] == table[asked])
    }
  }

  @Test("Of a path that stands there twice, the last counts")
  func lastOfTwo() {
    let (a, b) = (FieldPath(FieldName(unchecked: "a")), FieldPath(FieldName(unchecked: "b")))
    let fields = DocumentFields([
      DocumentField(b, .integer(1)), DocumentField(a, .integer(2)), DocumentField(b, .integer(3)),
    ])
    #expect(Array(fields) == [DocumentField(a, .integer(2)), DocumentField(b, .integer(3))])
  }
}
