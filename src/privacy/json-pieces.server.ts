/** One object: what is in `head`, and each of the lists. */
export async function* jsonPieces(
  head: object,
  lists: Record<string, AsyncGenerator<object[]>>,
): AsyncGenerator<string> {
  yield JSON.stringify(head, null, 2).slice(0, -2);
  for (const [name, list] of Object.entries(lists)) {
    yield `,\n  ${JSON.stringify(name)}: [`;
    let before = '\n    ';
    for await (const rows of list) {
      for (const row of rows) {
        yield before + JSON.stringify(row);
        before = ',\n    ';
      }
    }
    yield ']';
  }
  yield '\n}\n';
}
