/// All benchmarks, in the order in which they run.
enum Benchmarks {
  static var all: [any Benchmark.Type] {
    [
      PageBenchmark.self,
      DecimalBenchmark.self,
      ReadBenchmark.self,
      ReportBenchmark.self,
      SaveBenchmark.self,
      DocumentBenchmark.self,
      ListBenchmark.self,
      ObserveBenchmark.self,
      RestoreBenchmark.self,
      AppendBenchmark.self,
      IdleBenchmark.self,
      PullBenchmark.self,
      StartBenchmark.self,
      GrowthBenchmark.self,
    ]
  }
}
