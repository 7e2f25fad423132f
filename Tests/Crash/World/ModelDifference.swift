/// What a store shows differs from what its model says.
package struct ModelDifference: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Expects that a store says the same as its model.
func expectEqual<T: Equatable>(_ found: T, _ expected: T, _ what: String) throws {
  if found != expected { throw ModelDifference("\(what): \(found) and not \(expected)") }
}
