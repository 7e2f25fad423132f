/// Numbers for categories, small and dense, given in the order they are met.
struct CategoryNumbering: Sendable {
  /// The categories by number, each in the spelling met last.
  private(set) var categories: [Category] = []
  private var numbers: [CategoryKey: Int] = [:]

  /// The number of a category, given at the first asking.
  ///
  /// O(1).
  mutating func number(of category: Category) -> Int {
    if let number = numbers[category.key] {
      categories[number] = category
      return number
    }
    let number = categories.count
    numbers[category.key] = number
    categories.append(category)
    return number
  }

  subscript(number: Int) -> Category { categories[number] }
}
