/** So many values fit into one query on either database, and are dealt with before others have waited long. */
const PIECE = 500;

export function* inPieces<Value>(all: readonly Value[], size = PIECE): Generator<Value[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}
