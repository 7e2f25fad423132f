/// How the page looks: by day and by night, on a phone, on a screen and on paper.
enum PageStyle {
  static let text: StaticString = """
    :root {
      color-scheme: light dark;
      --ground: #ffffff; --raised: #f4f5f7; --ink: #1b1c20; --soft: #565a63; --rule: #d5d8de;
      --line: #0b5cad; --gain: #12692f; --loss: #a8201a; --warn: #7a4a00;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #14161a; --raised: #1f2228; --ink: #e9eaee; --soft: #a9adb8; --rule: #3a3e47;
        --line: #72b4ff; --gain: #5fd37e; --loss: #ff938c; --warn: #f0b866;
      }
    }
    * { box-sizing: border-box; }
    body {
      margin: 0 auto; max-width: 80rem; padding: 1rem clamp(0.75rem, 3vw, 2rem) 2rem;
      background: var(--ground); color: var(--ink);
      font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif;
    }
    h1 { font-size: 1.7rem; line-height: 1.2; margin: 0.5rem 0 0; }
    h2 { font-size: 1.25rem; margin: 2rem 0 0.5rem; }
    h3 { font-size: 1rem; margin: 1.25rem 0 0.35rem; }
    header p, figcaption, caption, footer, small, .none { color: var(--soft); }
    header p { margin: 0.25rem 0 0; }
    footer { border-top: 1px solid var(--rule); font-size: 0.85em; margin-top: 2rem; }
    .cards {
      display: grid; gap: 0.5rem; margin: 0;
      grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr));
    }
    .cards div { background: var(--raised); border-radius: 0.5rem; padding: 0.6rem 0.8rem; }
    .cards dt { color: var(--soft); font-size: 0.85em; }
    .cards dd {
      font-size: 1.15em; font-weight: 600; margin: 0; overflow-wrap: anywhere;
    }
    .note { border-left: 0.25rem solid var(--warn); margin: 0.6rem 0 0; padding-left: 0.6rem; }
    .gain { color: var(--gain); }
    .loss { color: var(--loss); }
    figure { margin: 0; }
    figcaption { font-size: 0.85em; }
    .chart { display: block; height: auto; width: 100%; }
    .narrow { display: none; }
    .axis path { fill: none; stroke: var(--rule); }
    .axis text { fill: var(--soft); font-size: 12px; }
    .line { fill: none; stroke: var(--line); stroke-linejoin: round; stroke-width: 2; }
    .dot { fill: var(--line); }
    path.deposit, path.withdrawal { stroke: var(--ground); }
    .deposit { color: var(--gain); fill: var(--gain); }
    .withdrawal { color: var(--loss); fill: var(--loss); }
    details { margin-top: 0.75rem; }
    summary { cursor: pointer; }
    .scroll { overflow-x: auto; }
    :focus-visible { outline: 3px solid var(--line); outline-offset: 2px; }
    table {
      border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums;
      width: 100%;
    }
    caption { font-size: 0.95em; padding-bottom: 0.35rem; text-align: left; }
    th, td {
      border-bottom: 1px solid var(--rule); padding: 0.4rem 0.6rem; text-align: left;
      vertical-align: top;
    }
    td { min-width: 6rem; overflow-wrap: anywhere; }
    td.figure { min-width: 0; white-space: nowrap; }
    th { background: var(--ground); font-weight: 600; }
    thead th { vertical-align: bottom; white-space: nowrap; }
    tbody th {
      left: 0; max-width: 16rem; min-width: 8rem; overflow-wrap: anywhere; position: sticky;
    }
    .figure { text-align: right; }
    small { display: block; font-size: 0.87em; font-weight: 400; }
    li small { display: inline; margin-left: 0.35rem; }
    th button {
      background: none; border: 0; color: inherit; cursor: pointer; font: inherit;
      margin: -0.4rem -0.6rem; min-height: 2.4rem; padding: 0.4rem 0.6rem; text-align: inherit;
    }
    th[aria-sort] button::after { content: " ▲"; font-size: 0.75em; }
    th[aria-sort="descending"] button::after { content: " ▼"; }
    .bar { display: block; height: 0.45rem; margin-left: auto; width: 6rem; }
    .bar rect { fill: var(--line); }
    .bar .track { fill: var(--rule); }
    .mark {
      border: 1px solid var(--rule); border-radius: 0.3em; font-size: 0.9em; padding: 0 0.3em;
    }
    .stale, .unpriced { border-color: var(--warn); color: var(--warn); }
    .columns {
      display: grid; gap: 0 1.5rem; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr));
    }
    ol { margin: 0; padding-left: 1.4rem; }
    li { margin-bottom: 0.35rem; overflow-wrap: anywhere; }
    li data { white-space: nowrap; }
    .unseen {
      clip-path: inset(50%); height: 1px; margin: 0; overflow: hidden; position: absolute;
      white-space: nowrap; width: 1px;
    }
    @media (max-width: 40rem) {
      .wide { display: none; }
      .narrow { display: block; }
      th, td { padding: 0.4rem 0.4rem; }
      tbody th { max-width: 9.5rem; min-width: 8.5rem; }
    }
    @media print {
      :root {
        color-scheme: light;
        --ground: #ffffff; --raised: #ffffff; --ink: #000000; --soft: #3a3a3a; --rule: #b5b5b5;
        --line: #000000; --gain: #0d4f23; --loss: #7d1712; --warn: #5c3800;
        font-size: 9pt;
      }
      @page { margin: 12mm; }
      body { max-width: none; padding: 0; }
      .cards, .columns { grid-template-columns: repeat(3, 1fr); }
      h2, h3 { break-after: avoid; }
      figure, tr, .cards div, li { break-inside: avoid; }
      .cards div { border: 1px solid var(--rule); }
      .scroll { overflow: visible; }
      .wide { display: block; }
      .narrow { display: none; }
      table { font-size: 6.8pt; }
      th, td { padding: 0.15rem 0.25rem; }
      tbody th { max-width: 9rem; min-width: 6rem; position: static; }
      td { min-width: 4rem; }
      th button { margin: 0; min-height: 0; padding: 0; }
      .bar { width: 3.5rem; }
      summary { list-style: none; }
    }

    """
}
