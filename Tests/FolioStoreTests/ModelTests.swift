import StoreWorld
import TestSupport
import Testing

/// A store in each place against plain dictionaries, under random edits, entries, pages, voids and
/// prices: a few runs of what `make crash` does in thousands.
@Suite struct ModelTests {
  @Test(arguments: 0..<4, PlaceKind.allCases)
  func storeIsWhatTheModelSays(run: Int, place: PlaceKind) throws {
    let random = SeededRandom("storeIsWhatTheModelSays(\(run))")
    var world = try RandomWorld(random, in: place)
    for step in 0..<120 { try world.step(step) }
    try world.finish()
  }

  /// The control: a comparison that lets this pass would count for nothing.
  @Test(arguments: PlaceKind.allCases)
  func whatTheModelMissesIsNoticed(place: PlaceKind) throws {
    var world = try RandomWorld(SeededRandom("whatTheModelMissesIsNoticed"), in: place)
    world.isForgetful = true
    #expect(throws: ModelDifference.self) {
      for step in 0..<200 { try world.step(step) }
    }
  }
}
