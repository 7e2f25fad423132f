/// What makes the page's tables sortable, and opens what is folded when the page is printed.
///
/// Without it everything is there to be read, in the first order.
enum PageScript {
  /// The hash that the page's policy names, so that no other script can run in it: SHA-256 of the
  /// text, in base64.
  static let integrity: StaticString = "sha256-3PIBdZRYhnGj0r3zrfh30TEj6xhhRvinQAmvVkj8Pfg="

  static let text: StaticString = #"""

    "use strict";
    const said = document.createElement("p");
    said.className = "unseen";
    said.setAttribute("aria-live", "polite");
    document.body.append(said);

    function sort(table, heads, column, isDescending) {
      const body = table.tBodies[0];
      const rows = [...body.rows].map((row, place) => {
        const rank = row.cells[column].dataset.rank;
        return { row, place, rank: rank === undefined ? null : Number(rank) };
      });
      rows.sort((a, b) => {
        if (a.rank === null || b.rank === null) {
          return (a.rank === null) - (b.rank === null) || a.place - b.place;
        }
        return (isDescending ? b.rank - a.rank : a.rank - b.rank) || a.place - b.place;
      });
      body.append(...rows.map((entry) => entry.row));
      heads.forEach((head) => head.removeAttribute("aria-sort"));
      heads[column].setAttribute("aria-sort", isDescending ? "descending" : "ascending");
      said.textContent = "Sorted by " + heads[column].textContent +
        (isDescending ? ", greatest first" : ", least first");
    }

    for (const table of document.querySelectorAll("table.sortable")) {
      const heads = [...table.tHead.rows[0].cells];
      heads.forEach((head, column) => {
        const button = document.createElement("button");
        button.type = "button";
        button.append(...head.childNodes);
        head.append(button);
        button.addEventListener("click", () => {
          const now = head.getAttribute("aria-sort");
          const isFigure = head.classList.contains("figure");
          sort(table, heads, column, now === null ? isFigure : now === "ascending");
        });
      });
    }

    const folded = document.querySelectorAll("details:not([open])");
    addEventListener("beforeprint", () => folded.forEach((part) => { part.open = true; }));
    addEventListener("afterprint", () => folded.forEach((part) => { part.open = false; }));

    """#
}
