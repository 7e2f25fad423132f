import FolioDomain
import TestSupport
import Testing

/// A server whose market goes back without a new epoch, as a virtual machine does that is set back.
@Suite("Prices that a server lost")
struct LostPricesTests {
  @Test("A device that has read more price tables than there are begins anew, and is not stuck")
  func fewerRevisions() throws {
    let world = try World()
    try world.importPrices(1)
    let phone = try world.device("phone")
    try phone.add("1", "crypto:bitcoin")
    try phone.sync()
    let before = world.server.snapshot()
    world.advance(hours: 6)
    try world.importPrices(2)
    world.advance(hours: 6)
    try phone.sync()
    try world.server.restore(before)
    // The server has none of the tables since then, and the device none that the server has not.
    try phone.sync()
    let (restored, _) = try world.restore("restored")
    try expectSame(phone, restored)
    try world.importPrices(3)
    world.advance(hours: 6)
    try phone.sync()
    try restored.sync()
    try expectSame(phone, restored)
  }
}
